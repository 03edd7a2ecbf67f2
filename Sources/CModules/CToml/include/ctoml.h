// TOML 1.0 through toml++, for C callers: parse a buffer and walk through what it holds. No state is
// kept between calls, nothing is left to free, and no exception leaves.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_ENTER_TABLE,
    CTOML_ENTER_ARRAY,
    CTOML_LEAVE, // the innermost table or array entered and not yet left
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE_OR_TIME, // carries no value: the settings have none
} ctoml_kind;

/// One step of the walk. Its pointers live until the visitor returns.
typedef struct {
    ctoml_kind kind;
    /// The node's own name in the table around it; NULL for an element of an array, for the root and
    /// for CTOML_LEAVE. UTF-8, not terminated, may hold NUL.
    const char *key;
    size_t key_length;
    /// Where the key is written, or the value where there is no key. From 1; columns in code points.
    /// 0 for the root and for CTOML_LEAVE.
    uint32_t line;
    uint32_t column;
    /// CTOML_STRING: UTF-8, not terminated, may hold NUL.
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
    bool truth;
} ctoml_event;

typedef void (*ctoml_visitor)(void *context, const ctoml_event *event);

/// The first syntax error. `message` is terminated and cut where it does not fit.
typedef struct {
    uint32_t line;
    uint32_t column;
    char message[256];
} ctoml_error;

/// Parses `length` bytes and, if they are sound, visits every node: the root table first, tables in
/// the order of their keys, arrays in theirs. Otherwise nothing is visited and `error` is filled.
///
/// Calls itself once a level of nesting: the caller bounds the levels (dots in a line, see the
/// importer); brackets within brackets are bounded here, to 8.
bool ctoml_parse(
    const char *bytes, size_t length, void *context, ctoml_visitor visit, ctoml_error *error);

#ifdef __cplusplus
}
#endif
