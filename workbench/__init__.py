"""Test fixtures, end-to-end tests, benchmarks and demos of HomeGateway.

Programs start as modules from the root of the repository: `python3 -m workbench.demo`. Tests/Rig has files that start
the programs of the Swift tests by path.

    parts, services           the real and virtual parts around a gateway, and all of them as one program
    virtual_bluez             a virtual bluetoothd on a private D-Bus
    virtual_modem, ambulance_service, cap, sip_flood, fake_systemd, fake_logind, polkit_rules, sandbox
                              the other peers of the gateway in tests
    house                     the house fixture; with gateway_settings, witness, control_socket, issuer, clock
    sos, outage, cluster, damaged_state, hostile_inputs, contract
                              end-to-end tests of the real daemon
    ble                       the BLE rig, inside a guest: wearables and scenarios on the real bluetoothd
    install                   the Debian packages on a box with systemd, through a power cut
    bench, demo               benchmarks against peers, and the demos
    swift_tests, wording      scripts/test, and a check of `make lint`
"""
