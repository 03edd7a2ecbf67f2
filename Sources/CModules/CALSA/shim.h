#pragma once
#include <alsa/asoundlib.h>

static void calsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// libasound writes each failure to standard error besides returning it. Here the returned one is
/// reported, with its reason. Swift cannot make a C function with a variable number of arguments.
static inline void calsa_silence_standard_error(void) { snd_lib_error_set_handler(calsa_say_nothing); }
