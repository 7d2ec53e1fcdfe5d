/* Where an instruction comes from: file and line, by the debug information of the object that holds
 * it and the program addr2line. */
#ifndef CUDA_EMULATION_LINES_H
#define CUDA_EMULATION_LINES_H

#include <string>
#include <vector>

/* A mark in a message that stands for a place: "@0x1234@", the distance from the beginning of its
 * object. */
std::string line_mark(const void *instruction);

/* The places of instructions of the object that holds the kernels: "FILE:LINE", or "(its line is
 * not known)". */
std::vector<std::string> lines_of(const std::vector<const void *> &instructions);

/* Replaces the marks of a message by places. */
std::string lines_resolved(const std::string &message);

/* The name of a function as the object file has it, and its place; "" for what is not known. */
struct FunctionPlace {
    std::string name, place;
};
FunctionPlace function_at(const void *function);

#endif
