// The same work as AdvertIntake in a bare C loop: the measure that the Swift code is held against.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct advert_peer_filter {
    const uint64_t *addresses;  // sorted
    size_t address_count;
    const uint8_t *ibeacon_uuid;  // 16 bytes; any major and minor
    int bthome;
};

struct advert_peer_result {
    uint64_t reports;
    uint64_t matched;
    uint64_t malformed;
};

/// Parses one LE Meta event and filters its reports; copies the data of what matches into `kept` (256 bytes).
void advert_peer_take(const uint8_t *event, size_t length, const struct advert_peer_filter *filter,
                      uint8_t *kept, struct advert_peer_result *result);

/// memcpy(3) of each event to `kept`: what merely touching the bytes costs.
void advert_peer_copy(const uint8_t *event, size_t length, uint8_t *kept);
