#pragma once
#include <gps.h>

// Unpacks the first JSON object of `text` into `data`, and sets `*end` behind it. Returns 0, or why it cannot.
// One step, as libgps_json_unpack of gps_json.h, which libgps exports and Debian does not install. gps_read and
// gps_unpack call it in a loop that never ends where an object is refused: they are not to be used.
extern int libgps_json_unpack(const char *text, struct gps_data_t *data, const char **end);
