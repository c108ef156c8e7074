#!/usr/bin/env bash
# Run by conda-build in the source folder.
set -euo pipefail
cmake -S . -B build-conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" \
  -DGLASSWORKS_TESTS=OFF -DGLASSWORKS_WERROR=OFF -DGLASSWORKS_CUDA=OFF -DGLASSWORKS_MPI=OFF -DGLASSWORKS_HDF5=ON
cmake --build build-conda --target glassworks -j"${CPU_COUNT:-2}"
cmake --install build-conda
"$PYTHON" -m pip install --no-deps --no-build-isolation ./tools/python
