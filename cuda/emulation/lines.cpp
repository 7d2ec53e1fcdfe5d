#include "cuda/emulation/lines.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace
{

struct Place {
    std::string object;
    uintptr_t offset;
};

/* The object of an address, and its distance from the object's beginning. */
Place place_of(const void *address)
{
    Dl_info info;
    if (!dladdr(const_cast<void *>(address), &info) || !info.dli_fname)
        return {"", 0};
    const uintptr_t base = reinterpret_cast<uintptr_t>(info.dli_fbase);
    return {info.dli_fname, reinterpret_cast<uintptr_t>(address) - base};
}

/* The object's file: the program itself is found under /proc, since its name may be relative. */
std::string file_of(const std::string &object)
{
    char own[4096];
    const Place mine = place_of(reinterpret_cast<const void *>(&file_of));
    return object == mine.object && realpath("/proc/self/exe", own) &&
                   !strstr(object.c_str(), ".so")
               ? own
               : object;
}

/* Addresses of a program that is not position independent are not relative to its beginning. */
bool is_relative(const std::string &file)
{
    unsigned char head[18] = {0};
    FILE *f = fopen(file.c_str(), "rb");
    const size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f)
        fclose(f);
    return n == sizeof head && head[16] == 3; /* e_type: ET_DYN */
}

/* True for a place in the emulation's own headers. */
bool is_ours(const std::string &place)
{
    return place.find("cuda/emulation/") != std::string::npos ||
           place.find("cuda_emulation/") != std::string::npos;
}

/* Takes the answer for one address, "0x..." and then function and place of each inlined call, the
 * innermost first: the first pair outside of the emulation. */
void take_answer(FILE *pipe, std::string &next, std::vector<std::string> &answers)
{
    char text[4096];
    std::string function, place;
    next.clear();
    for (bool is_function = true, taken = false; fgets(text, sizeof text, pipe);
         is_function = !is_function) {
        text[strcspn(text, "\n")] = 0;
        if (is_function && strncmp(text, "0x", 2) == 0) {
            next = text;
            break;
        }
        if (taken)
            continue;
        (is_function ? function : place) = text;
        taken = !is_function && !is_ours(place);
    }
    answers.push_back(function);
    answers.push_back(place);
}

/* Asks addr2line about offsets of an object; two lines for each: function and place. */
std::vector<std::string> ask(const std::string &object, const std::vector<uintptr_t> &offsets)
{
    std::vector<std::string> answers;
    const std::string file = file_of(object);
    std::string command = "addr2line -a -i -f -C -e '" + file + "'";
    char text[64];
    if (file.empty() || file.find('\'') != std::string::npos)
        return answers;
    for (uintptr_t offset : offsets) {
        snprintf(text, sizeof text, " 0x%llx", static_cast<unsigned long long>(offset));
        command += text;
    }
    FILE *pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::string next = pipe && fgets(text, sizeof text, pipe) ? text : "";
    while (!next.empty())
        take_answer(pipe, next, answers);
    if (pipe)
        pclose(pipe);
    return answers;
}

uintptr_t asked_offset(const Place &p, const void *address)
{
    return is_relative(file_of(p.object)) ? p.offset : reinterpret_cast<uintptr_t>(address);
}

/* A place without "(discriminator 2)" and without what addr2line does not know. */
std::string cleaned(std::string place)
{
    const size_t more = place.find(" (");
    if (more != std::string::npos)
        place.resize(more);
    if (place.empty() || place[0] == '?' || place.substr(place.size() - 2) == ":0" ||
        place.substr(place.size() - 2) == ":?")
        return "";
    for (const char *start : {"./", "../"})
        if (place.compare(0, strlen(start), start) == 0)
            place.erase(0, strlen(start));
    return place;
}

} // namespace

std::string line_mark(const void *instruction)
{
    char text[32];
    const Place p = place_of(instruction);
    snprintf(text, sizeof text, "@0x%llx@",
             static_cast<unsigned long long>(asked_offset(p, instruction)));
    return text;
}

static const char UNKNOWN[] = "(its line is not known)";

std::vector<std::string> lines_of(const std::vector<const void *> &instructions)
{
    std::vector<uintptr_t> offsets;
    std::vector<std::string> places;
    const Place own = place_of(reinterpret_cast<const void *>(&lines_of));
    const bool relative = is_relative(file_of(own.object));
    for (const void *instruction : instructions) {
        const uintptr_t address = reinterpret_cast<uintptr_t>(instruction);
        offsets.push_back(relative ? place_of(instruction).offset : address);
    }
    const std::vector<std::string> answers = ask(own.object, offsets);
    for (size_t i = 0; i < instructions.size(); i++) {
        const std::string place = answers.size() > 2 * i + 1 ? cleaned(answers[2 * i + 1]) : "";
        places.push_back(place.empty() ? UNKNOWN : place);
    }
    return places;
}

std::string lines_resolved(const std::string &message)
{
    std::string text;
    const Place own = place_of(reinterpret_cast<const void *>(&lines_resolved));
    for (size_t at = 0; at < message.size();) {
        const size_t mark = message.find("@0x", at),
                     end = mark == std::string::npos ? mark : message.find('@', mark + 1);
        text += message.substr(at, mark - at);
        if (end == std::string::npos)
            break;
        const uintptr_t offset = strtoull(message.c_str() + mark + 1, nullptr, 16);
        const std::vector<std::string> answers = ask(own.object, {offset});
        const std::string place = answers.size() > 1 ? cleaned(answers[1]) : "";
        text += place.empty() ? UNKNOWN : place;
        at = end + 1;
    }
    return text;
}

FunctionPlace function_at(const void *function)
{
    const Place p = place_of(function);
    const std::string file = file_of(p.object);
    char name[4096] = "", place[4096] = "", command[4200];
    if (file.empty() || file.find('\'') != std::string::npos || file.size() > 4000)
        return {"", ""};
    snprintf(command, sizeof command, "addr2line -f -e '%s' 0x%llx 2>/dev/null", file.c_str(),
             static_cast<unsigned long long>(asked_offset(p, function)));
    FILE *pipe = popen(command, "r");
    const bool answered =
        pipe && fgets(name, sizeof name, pipe) && fgets(place, sizeof place, pipe);
    if (pipe)
        pclose(pipe);
    name[strcspn(name, "\n")] = place[strcspn(place, "\n")] = 0;
    return answered && name[0] != '?' ? FunctionPlace{name, cleaned(place)} : FunctionPlace();
}
