#!/usr/bin/env bash
# The pictures with which an introduction to convolution begins: an image, its edges by the filters of Sobel, and both
# subsampled by max pooling. sobel.npy holds the two filters, 2 x 1 x 3 x 3: a map has one plane for each.
# Usage: examples/sobel_panel.sh [FOLDER_OF_PROGRAMS [FOLDER_OF_PICTURES [IMAGE]]]
# The first file is the image, or a slice of a volume: examples/sobel_panel.sh build/bin panel brain.nii.gz
set -euo pipefail
project=$(dirname "$0")/..
bin=${1:-$project/build/bin}
panel=${2:-panel}
image=${3:-$project/tests/data/brain_axial.png}
mkdir -p "$panel"
quiet() { "$@" --samples 1 --warmup 0 --format csv >/dev/null; }

# A volume: its middle slice, here number 12 of 24 across z, written as a picture.
case $image in
*.nii | *.nii.gz)
    quiet "$bin/copy_serial" -i "$image" --plane "${PLANE:-12}" --axis "${AXIS:-z}" -o "$panel/image.png"
    ;;
*) quiet "$bin/copy_serial" -i "$image" -o "$panel/image.png" ;;
esac
quiet "$bin/conv_serial" -i "$panel/image.png" --weights "$project/examples/sobel.npy" -s 1 -p 1 -o "$panel/edges_%d.png"
quiet "$bin/maxpool_serial" -i "$panel/image.png" -k 4 -o "$panel/image_pooled.png"
quiet "$bin/maxpool_serial" -i "$panel/edges_0.png" -k 4 -o "$panel/edges_0_pooled.png"
echo "$panel: image.png, edges_0.png (across), edges_1.png (down), image_pooled.png, edges_0_pooled.png"
