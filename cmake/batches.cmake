# compile_in_batches(target): several sources at a time, which reads their common headers once
function(compile_in_batches target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  # Each source has a log component of its own; gcc takes an unnamed namespace for a header's
  set_target_properties(
    ${target}
    PROPERTIES UNITY_BUILD ON
               UNITY_BUILD_BATCH_SIZE 6
               UNITY_BUILD_UNIQUE_ID UNIQUE_ID
               UNITY_BUILD_CODE_BEFORE_INCLUDE "#define g_log UNIQUE_ID"
               UNITY_BUILD_CODE_AFTER_INCLUDE "#undef g_log"
  )
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()
