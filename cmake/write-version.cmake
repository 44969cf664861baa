# Writes a source file that names the version of the module: its release and a hash of the sources
# that a result follows from, which is the same on all machines.
#
# usage: cmake -DROOT=DIRECTORY -DSOURCES=FILE;FILE -DOUTPUT=FILE -P write-version.cmake
# SOURCES are relative to ROOT.

file(STRINGS ${ROOT}/VERSION release LIMIT_COUNT 1)
list(SORT SOURCES)
set(hashes)
foreach(source IN LISTS SOURCES)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND hashes "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(
  WRITE ${OUTPUT}
  "extern const char* const SOURCE_VERSION;\nconst char* const SOURCE_VERSION = \"${release}+${hash}\";\n"
)
