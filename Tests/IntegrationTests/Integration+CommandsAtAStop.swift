import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Vault

extension Integration {
    @Suite struct CommandsAtAStop {
        /// A broker that acknowledges nothing: so a stop waits for it, and hears it meanwhile.
        private func broker() -> ScriptedBroker {
            ScriptedBroker { packet in
                switch packet[0] & 0xF0 {
                case 0x10: ScriptedBroker.welcome
                // SUBACK: QoS 1.
                case 0x80: [0x90, 0x04, packet[2], packet[3], 0x00, 0x01]
                default: []
                }
            }
        }

        @Test func `a command that is acknowledged while the gateway stops is done by the next run`()
            async throws
        {
            let cloud = try Cloud()
            let broker = broker()
            try await House.with(HouseSettings(more: cloud.sections()), brokerPort: broker.port) { house in
                let first = try await house.start()
                try await house.subscribedToCommands(first)
                first.daemon.child.signal(SIGTERM)
                // Commands are no longer done when it answers nobody any more; the session with the broker goes on.
                #expect(await eventually(within: patience) { !Self.answers(house.controlSocket) })
                let (_, token) = try cloud.token(#"{"type":"heartbeat-interval","seconds":11}"#)
                let topic = "trackme/v1/\(HouseSettings.gateway)/commands"
                broker.say(ScriptedBroker.publish(topic, Array(token.utf8), packet: 7))
                #expect(try await first.daemon.child.exitCode() == 0)
                let isAcknowledged = broker.packets.values.contains {
                    $0[0] == 0x40 && Array($0[2...3]) == [0, 7]
                }
                try #require(isAcknowledged, "it came too late to be a test")
                let reader = StateReader(in: house.scratch.file("state").path)
                #expect(try reader.rows(of: .waitingCommand).rows.map(\.content) == [Array(token.utf8)])

                let second = try await house.start()
                try await second.daemon.child.errors.first("the command") { $0.contains("command done") }
                #expect(
                    await eventually(within: patience) { (try? reader.rows(of: .waitingCommand).rows) == [] })
            }
        }

        private static func answers(_ controlSocket: String) -> Bool {
            guard let descriptor = try? LocalSocket.connect(to: controlSocket) else { return false }
            close(descriptor)
            return true
        }
    }
}
