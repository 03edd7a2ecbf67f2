// The floor of a drain: COUNT messages of BYTES to the broker on PORT at QoS 1, WINDOW of them unacknowledged at
// most, by a bare loop over libmosquitto that keeps nothing. Prints seconds from the first to the last
// acknowledgement.
//
//     drain PORT COUNT BYTES WINDOW
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int connected, flying;
static long acknowledged;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void on_connect(struct mosquitto *client, void *data, int code) {
    (void)client, (void)data;
    connected = code == 0;
}

static void on_publish(struct mosquitto *client, void *data, int packet) {
    (void)client, (void)data, (void)packet;
    flying--;
    acknowledged++;
}

int main(int words, char **word) {
    if (words != 5) return 2;
    long count = atol(word[2]);
    int bytes = atoi(word[3]), window = atoi(word[4]);
    char *payload = malloc(bytes);
    if (!payload || bytes < 8) return 1;
    // JSON, as the consumer that listens to both expects.
    memset(payload, 'x', bytes);
    memcpy(payload, "{\"x\":\"", 6);
    memcpy(payload + bytes - 2, "\"}", 2);
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new("floor", true, NULL);
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_publish_callback_set(client, on_publish);
    if (mosquitto_connect(client, "127.0.0.1", atoi(word[1]), 60) != MOSQ_ERR_SUCCESS) return 1;
    while (!connected)
        if (mosquitto_loop(client, 1000, 1) != MOSQ_ERR_SUCCESS) return 1;
    double begin = now();
    for (long sent = 0; acknowledged < count;) {
        for (; flying < window && sent < count; sent++, flying++)
            if (mosquitto_publish(client, NULL, "trackme/v1/floor/samples/maria/heart-rate", bytes, payload, 1, false))
                return 1;
        if (mosquitto_loop(client, 1000, 1) != MOSQ_ERR_SUCCESS) return 1;
    }
    printf("%.6f\n", now() - begin);
    return 0;
}
