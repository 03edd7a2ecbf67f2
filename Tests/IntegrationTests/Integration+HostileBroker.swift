import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// A broker whose bytes end a process, and processes that end for other reasons: the house is watched on, and
    /// nothing is lost.
    @Suite struct HostileBroker {
        @Test(arguments: UnknownProperty.allCases)
        func `a property that MQTT does not have does not keep a call for help back`(in packet: UnknownProperty)
            async throws
        {
            let broker = packet.broker()
            try await House.with(brokerPort: broker.port) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.status(showing: "The broker keeps sending packets that it must not send")
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                try await broker.packets.first("the call at the broker") {
                    $0[0] & 0xF0 == 0x30 && String(decoding: $0, as: UTF8.self).contains("/sos/maria")
                }
                #expect(gateway.daemon.child.isRunning)
                #expect(gateway.daemon.log.contains("was ended by signal 6"))
                let end = try await gateway.daemon.terminate()
                #expect(end.code == 0)
            }
        }

        @Test
        func `an alarm rings while the broker ends one process after the other, and is sent when it stops`()
            async throws
        {
            let isHonest = Switch()
            let broker = HostileInBoth.broker { isHonest.isOn }
            try await House.with(brokerPort: broker.port) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.status(showing: "The broker keeps sending packets that it must not send")
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await gateway.daemon.room.first("the alarm in the room") {
                    $0.hasPrefix("*** ") && $0.contains("Alarm for Maria Rossi")
                }
                try await gateway.feed.first("dispatch")
                isHonest.turnOn()
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
            }
        }

        @Test func `readings arrive each once while the process of the session is killed in mid-stream`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                var killed: Set<pid_t> = []
                for rate in 60..<110 {
                    try await house.rig.send(rate)
                    // In mid-stream: the broker has answered this process. After three without an answer the readings wait
                    // for a minute.
                    if rate % 10 == 4 { try await witness.sample(Double(rate)) }
                    guard rate % 10 == 5 else { continue }
                    let process = try await Self.session(of: gateway, besides: killed)
                    kill(process, SIGKILL)
                    killed.insert(process)
                }
                for rate in 60..<110 { try await witness.sample(Double(rate)) }
                #expect(witness.distinctSamples.count == 50)
                #expect(killed.count == 5)
                #expect(gateway.daemon.log.contains("was ended from outside, by signal 9"))
                #expect(gateway.daemon.child.isRunning)
            }
        }

        @Test func `a stop does not wait for a process that hangs`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(70)
                try await witness.sample(70)
                let process = try await Self.session(of: gateway)
                kill(process, SIGSTOP)
                let end = try await gateway.daemon.terminate()
                #expect(end.code == 0)
                #expect(end.after < .seconds(8))
                #expect(kill(process, 0) != 0, "it was left behind")
            }
        }

        @Test
        func
            `the process of the session ends with a gateway that is killed, and knows none of its secrets by name`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                _ = try await house.witness()
                try await gateway.feed.health("broker-unreachable", false)
                let process = try await Self.session(of: gateway)
                func file(_ name: String) throws -> String {
                    let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(name)")
                    return String(decoding: try #require(bytes), as: UTF8.self)
                }
                #expect(try file("cmdline") == "homegateway\0broker-session\0")
                #expect(!(try file("environ")).contains("NOTIFY_SOCKET"))
                #expect(try file("oom_score_adj") == "0\n")
                #expect(try file("status").contains("CapPrm:\t0000000000000000"))
                #expect(try file("limits").contains(/Max core file size +0 +0/))
                // The daemon alone: not its process group, in which the child is.
                kill(gateway.daemon.child.processID, SIGKILL)
                #expect(await eventually { kill(process, 0) != 0 })
            }
        }

        /// The child of the gateway that runs its session.
        private static func session(of gateway: House.Gateway, besides known: Set<pid_t> = []) async throws
            -> pid_t
        {
            let parent = gateway.daemon.child.processID
            let path = "/proc/\(parent)/task"
            var found: pid_t?
            _ = await eventually(within: patience) {
                let tasks = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                let children = tasks.flatMap { task in
                    let bytes = FileManager.default.contents(atPath: "\(path)/\(task)/children") ?? Data()
                    return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
                }
                found = children.first { child in
                    let name = FileManager.default.contents(atPath: "/proc/\(child)/comm") ?? Data()
                    return !known.contains(child) && String(decoding: name, as: UTF8.self) == "broker-session\n"
                }
                return found != nil
            }
            guard let found else { throw Missing(description: "no process of the broker session") }
            return found
        }
    }
}

/// Answers a CONNECT of either version with a packet that ends a process, or closes, until it is honest.
private enum HostileInBoth {
    static func broker(_ isHonest: @escaping @Sendable () -> Bool) -> ScriptedBroker {
        ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10 where !isHonest(): packet[8] == 5 ? [0x20, 0x05, 0x00, 0x00, 0x02, 0x7F, 0x01] : nil
            case 0x10: packet[8] == 5 ? ScriptedBroker.welcome : [0x20, 0x02, 0x00, 0x00]
            case 0x80: [0x90, 0x04, packet[2], packet[3], 0x00, 0x01]
            case 0x30: ScriptedBroker.acknowledge(packet)
            case 0xE0: nil
            default: []
            }
        }
    }
}

private final class Switch: Sendable {
    private let recorder = Recorder<Void>()
    var isOn: Bool { !recorder.values.isEmpty }
    func turnOn() { recorder.add(()) }
}
