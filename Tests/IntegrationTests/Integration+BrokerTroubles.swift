import Foundation
import TestSupport
import Testing

extension Integration {
    /// Brokers that cannot be used as they are: the log and the status say why, and a call for help gets through.
    @Suite struct BrokerTroubles {
        @Test func `a broker with the certificate of another authority is told with its reason and remedy`()
            async throws
        {
            let (ours, others) = (try await TestAuthority(), try await TestAuthority())
            let identity = try await others.sign("broker", names: "IP:127.0.0.1")
            let broker = try MosquittoProcess(
                "allow_anonymous true\ncertfile \(identity.certificate)\nkeyfile \(identity.key)")
            try await broker.start()
            var settings = HouseSettings()
            settings.broker = "ca_file = \"\(ours.certificate)\""
            try await House.with(settings, brokerPort: broker.port) { house in
                let gateway = try await house.start()
                try await gateway.daemon.child.errors.first("the reason in the log") {
                    $0.contains("level=warning") && $0.contains("broker not connected")
                        && $0.contains("certificate verify failed") && $0.contains("check ca_file")
                }
                try await house.status(showing: "certificate verify failed")
            }
        }

        @Test func `a second client with the gateway's id is told apart from a bad network`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await gateway.feed.health("broker-unreachable", false)
                let other = try TiedChild([
                    "/usr/bin/mosquitto_sub", "-V", "5", "-p", "\(house.brokerPort)", "-i",
                    HouseSettings.gateway,
                    "-t", "x",
                ])
                try await gateway.feed.health("broker-session-taken", true)
                try await house.status(showing: "Another client uses this gateway's id")
                await other.killed()
            }
        }

        @Test(
            arguments: ["max_packet_size 256", "max_packet_size 600", "message_size_limit 256"], [false, true])
        func `a call gets through to a broker with a small limit`(_ limit: String, isOld: Bool) async throws {
            let broker = try MosquittoProcess("allow_anonymous true\n\(limit)")
            try await broker.start()
            let relay = CuttingRelay(to: broker.port, cutAfter: [], refusesVersion5: isOld)
            defer { relay.stop() }
            try await House.with(brokerPort: relay.port) { house in
                let gateway = try await house.start()
                let witness = try await Witness(port: broker.port)
                try await house.rig.subscribed()
                try await gateway.feed.health("broker-unreachable", false)
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                #expect(call.text.contains("45.4661"), "\(call.text)")
                #expect(call.text.contains("heart-rate-high"), "\(call.text)")
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                await witness.end()
            }
        }

        @Test func `a call gets through to a broker that leaves MQTT 5 unanswered`() async throws {
            let broker = ScriptedBroker { packet in
                switch packet[0] & 0xF0 {
                case 0x10: packet[8] == 5 ? [] : [0x20, 0x02, 0x00, 0x00]
                case 0x80: [0x90, 0x03, packet[2], packet[3], 0x01]
                case 0x30: ScriptedBroker.acknowledge(packet)
                case 0xC0: [0xD0, 0x00]
                default: []
                }
            }
            try await House.with(brokerPort: broker.port) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                #expect(broker.levels.values == [5, 4])
            }
        }
    }
}
