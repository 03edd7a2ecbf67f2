// The kernel's GPIO character device, second version of its interface (Linux 5.10 and newer, linux/gpio.h).
// One wrapper a call: Swift sees neither the ioctl numbers nor how the line request nests.
#pragma once
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>

/// Takes one line of a chip as an output, off at first.
/// Returns the line's descriptor, close-on-exec; -1 with errno.
static inline int cgpio_take_output(int chip, unsigned offset, int active_low, const char *consumer) {
    struct gpio_v2_line_request request;
    memset(&request, 0, sizeof request);
    request.offsets[0] = offset;
    request.num_lines = 1;
    strncpy(request.consumer, consumer, GPIO_MAX_NAME_SIZE - 1);
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT | (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    // An output that starts off, whatever it was: without the attribute the kernel takes 0 too, said here.
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    request.config.attrs[0].attr.values = 0;
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -1 : request.fd;
}

/// Takes one line of a chip as an input that tells both edges, debounced by the kernel.
/// `pull`: 1 up, -1 down, 0 as it is.
/// Returns the line's descriptor, close-on-exec; -1 with errno.
static inline int cgpio_take_input(
    int chip, unsigned offset, int active_low, int pull, unsigned debounce_us, const char *consumer) {
    struct gpio_v2_line_request request;
    memset(&request, 0, sizeof request);
    request.offsets[0] = offset;
    request.num_lines = 1;
    strncpy(request.consumer, consumer, GPIO_MAX_NAME_SIZE - 1);
    request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING
        | GPIO_V2_LINE_FLAG_EDGE_FALLING | (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0)
        | (pull > 0 ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP : 0) | (pull < 0 ? GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN : 0);
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
    request.config.attrs[0].attr.debounce_period_us = debounce_us;
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -1 : request.fd;
}

/// 1 active, 0 inactive; -1 with errno.
static inline int cgpio_value(int line) {
    struct gpio_v2_line_values values = {.bits = 0, .mask = 1};
    return ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)(values.bits & 1);
}

/// 0; -1 with errno.
static inline int cgpio_set(int line, int active) {
    struct gpio_v2_line_values values = {.bits = active ? 1 : 0, .mask = 1};
    return ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0 ? -1 : 0;
}
