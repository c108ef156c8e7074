# Recipe for Spack: `spack repo add tools/setup/spack`, `spack install glassworks`.
import pathlib

from spack.package import *


class Glassworks(CMakePackage, CudaPackage):
    """Monte Carlo campaigns on spin glasses: parallel tempering of many disorder realizations until each has converged."""

    # The source tree that holds this recipe.
    git = pathlib.Path(__file__).resolve().parents[5].as_uri()

    license("MIT")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("mpi", default=True, description="runs over several machines")
    variant("hdf5", default=True, description="export of HDF5 files")
    variant("plot", default=True, description="figures for print, drawn by gnuplot")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("git", type="build")
    depends_on("boost@1.74:+program_options+serialization")
    depends_on("boost+mpi", when="+mpi")
    depends_on("mpi", when="+mpi")
    depends_on("eigen@3.4:3")
    depends_on("fmt@9:")
    depends_on("hdf5+cxx", when="+hdf5")
    depends_on("lbfgspp")
    depends_on("nlohmann-json@3.9:")
    depends_on("random123")
    depends_on("sqlite")
    depends_on("sqlitecpp")
    depends_on("xxhash")
    depends_on("zstd build_system=cmake")
    depends_on("gnuplot+cairo", when="+plot", type="run")

    conflicts("%gcc@:11", msg="Glassworks needs C++20: GCC 12 or later")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("GLASSWORKS_TESTS", False),
            self.define("GLASSWORKS_WERROR", False),
            self.define_from_variant("GLASSWORKS_CUDA", "cuda"),
            self.define_from_variant("GLASSWORKS_MPI", "mpi"),
            self.define_from_variant("GLASSWORKS_HDF5", "hdf5"),
        ]
        if self.spec.satisfies("+cuda") and "none" not in self.spec.variants["cuda_arch"].value:
            architectures = [f"{arch}-real" for arch in self.spec.variants["cuda_arch"].value]
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args
