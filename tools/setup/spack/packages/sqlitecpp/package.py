# Spack has no recipe of its own for SQLiteC++.
from spack.package import *


class Sqlitecpp(CMakePackage):
    """C++ wrapper of SQLite."""

    homepage = "https://srombauts.github.io/SQLiteCpp/"
    git = "https://github.com/SRombauts/SQLiteCpp.git"

    license("MIT")

    version("3.3.1", tag="3.3.1")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("sqlite")

    def cmake_args(self):
        return [
            self.define("SQLITECPP_INTERNAL_SQLITE", False),
            self.define("SQLITECPP_RUN_CPPLINT", False),
            self.define("BUILD_SHARED_LIBS", True),
        ]
