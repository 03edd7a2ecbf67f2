#include "advert_peer.h"

#include <string.h>

static int has_address(const struct advert_peer_filter *filter, const uint8_t *octets) {
    uint64_t wanted = 0;
    memcpy(&wanted, octets, 6);
    size_t low = 0, high = filter->address_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (filter->addresses[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return low < filter->address_count && filter->addresses[low] == wanted;
}

static int matches_data(const struct advert_peer_filter *filter, const uint8_t *data, size_t length) {
    int match = 0;
    for (size_t at = 0; at < length && data[at] != 0; at += data[at] + 1u) {
        size_t content = data[at] - 1u;
        const uint8_t *bytes = data + at + 2;
        if (at + 1 + data[at] > length) break;
        if (data[at + 1] == 0xFF && content == 25 && bytes[0] == 0x4C && bytes[1] == 0 && bytes[2] == 2
            && bytes[3] == 0x15 && memcmp(bytes + 4, filter->ibeacon_uuid, 16) == 0)
            match = 1;
        if (data[at + 1] == 0x16 && content >= 2 && filter->bthome && bytes[0] == 0xD2 && bytes[1] == 0xFC)
            match = 1;
    }
    return match;
}

static void keep(const struct advert_peer_filter *filter, const uint8_t *address, const uint8_t *data,
                 size_t length, uint8_t *kept, struct advert_peer_result *result) {
    result->reports++;
    if (!has_address(filter, address) && !matches_data(filter, data, length)) return;
    memcpy(kept, data, length);
    result->matched++;
}

void advert_peer_take(const uint8_t *event, size_t length, const struct advert_peer_filter *filter,
                      uint8_t *kept, struct advert_peer_result *result) {
    if (length < 2 || (event[0] != 0x02 && event[0] != 0x0D)) {
        result->malformed++;
        return;
    }
    size_t head = event[0] == 0x02 ? 9 : 24, tail = event[0] == 0x02 ? 1 : 0, address = event[0] == 0x02 ? 2 : 3;
    size_t at = 2;
    for (unsigned left = event[1]; left > 0; left--) {
        if (at + head > length || at + head + event[at + head - 1] + tail > length) {
            result->malformed++;
            return;
        }
        size_t data = event[at + head - 1];
        keep(filter, event + at + address, event + at + head, data, kept, result);
        at += head + data + tail;
    }
}

void advert_peer_copy(const uint8_t *event, size_t length, uint8_t *kept) { memcpy(kept, event, length); }
