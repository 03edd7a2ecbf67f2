import Foundation
import Glibc
import RealTime
import TestSupport
import Testing

extension Integration {
    /// Nothing that arrives may end the gateway.
    @Suite struct HostileInput {
        /// 513 `[` end a process that gives them to Foundation's decoder.
        private static let deep = ["[", "{\"a\":", "[{\"alarm\":"].flatMap { unit in
            [513, 600, 4_000].map { String(String(repeating: unit, count: $0).prefix(4_000)) }
                + [String(repeating: unit, count: 513)]
        }

        @Test func `JSON of any depth ends nothing, and help is called and accepted afterwards`() async throws {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections())) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                for text in Self.deep {
                    try await witness.answer(text, to: "maria")
                    try await witness.command(text)
                    #expect(
                        try Self.ask(text, at: house.controlSocket).contains("does not know such a request"))
                }
                // A signed command that is deep inside, and one whose header is.
                let header = Data(Self.deep[0].utf8).base64EncodedString().replacingOccurrences(
                    of: "=", with: "")
                try await witness.command("\(header).\(header).\(header)")
                let deep = String(repeating: "[", count: 513)
                try await witness.command(try cloud.token(#"{"type":"drill","person":\#(deep)"#).text)
                let done = try await cloud.ask(#"{"type":"heartbeat-interval","seconds":11}"#, of: witness)
                #expect(done.result == "done", "\(done)")

                try await house.rig.send(150)
                let alarm = try #require(try await witness.call("confirmed").payload.alarm)
                try await witness.accept(alarm, of: "maria", by: "Operator 7")
                try await gateway.feed.first("accepted") { $0.alarm == alarm && $0.by == "Operator 7" }
                #expect(gateway.daemon.child.isRunning)
            }
        }

        @Test func `a message in whose handling the gateway died is set aside, and the alarm goes on`()
            async throws
        {
            let memory = "/dev/shm/homegateway-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: memory, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: memory) }
            var settings = HouseSettings()
            settings.controlSocket = memory + "/control.sock"
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await first.daemon.child.errors.first("the subscription to acceptances") {
                    $0.contains("subscribed") && $0.contains("/sos/+/accepted")
                }
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await witness.call("confirmed").payload.alarm)
                _ = try await house.record(of: alarm, showing: "handed over")
                first.daemon.child.signal(SIGKILL)
                _ = try await first.daemon.child.exitCode()

                // As a process leaves the file that dies while it handles this.
                let payload = #"{"alarm": "\#(alarm)", "by": "Poison"}"#
                try FlightRecorder(path: house.controlSocket + ".handling").begin(.message, Array(payload.utf8))
                try await witness.answer(payload, to: "maria")
                let second = try await house.start()
                try await second.daemon.child.errors.first("the message again") {
                    $0.contains("ended the gateway came again") && $0.contains("broker-message")
                }
                try await house.status(showing: "input is set aside and not handled again (broker-message)")
                // It is known to the run after that as well, when the broker no longer has it.
                #expect(try await second.daemon.terminate().code == 0)
                let third = try await house.start()
                try await third.daemon.child.errors.first("the session") { $0.contains("broker connected") }
                try await witness.answer(payload, to: "maria")
                try await third.daemon.child.errors.first("the message a third time") {
                    $0.contains("ended the gateway came again")
                }
                try await witness.accept(alarm, of: "maria", by: "Operator 7")
                let record = try await house.record(of: alarm, showing: "accepted by Operator 7 through mqtt")
                #expect(!record.contains("Poison"), "\(record)")
            }
        }

        @Test func `a number of a request at either socket ends nothing, however large`() async throws {
            let session = #","session":{"role":"person","person":"maria","name":"a test"}"#
            let numbers = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
            let requests = numbers.flatMap { number in
                [
                    #""verb":"my_data","person":"maria","from":\#(number)"#,
                    #""verb":"exercise","person":"maria","minutes":\#(number)"#,
                    #""verb":"scan_devices","seconds":\#(number)"#,
                    #""verb":"race","subject":"run-7","from":\#(number)"#,
                    #""verb":"runner_vitals","subject":"run-7","by":"club","bib":\#(number)"#,
                    #""verb":"correct_race","subject":"run-7","bib":1,"correction":{"act":"undo","number":\#(number)}"#,
                ]
                    + ["time", "bound_ms", "order"].map { field in
                        #""verb":"correct_race","subject":"run-7","bib":1,"correction":{"act":"add","checkpoint":"finish","\#(field)":\#(number)}"#
                    }
                    + numbers.flatMap { other in
                        ["history", "alarms"].map { verb in
                            #""verb":"\#(verb)","person":"maria","kind":"heart-rate","from":\#(number),"to":\#(other)"#
                        }
                    }
            }
            try await House.with { house in
                _ = try await house.start()
                let console = URL(filePath: house.controlSocket).deletingLastPathComponent()
                    .appending(path: "console.sock").path
                for request in requests {
                    let answer = try Self.ask("{\(request)}", at: house.controlSocket)
                    #expect(answer.contains("is_done"), "\(request): \(answer)")
                    let paged = try Self.ask("{\(request)\(session)}", at: console)
                    #expect(paged.contains("is_done"), "\(request): \(paged)")
                }
                #expect(try Self.ask(#"{"verb":"status"}"#, at: house.controlSocket).contains("is_done"))
            }
        }

        /// One line to the control socket, and the line that comes back.
        private static func ask(_ line: String, at path: String) throws -> String {
            let descriptor = try LocalSocket.connect(to: path)
            defer { close(descriptor) }
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
            guard write(descriptor, bytes, bytes.count) == bytes.count else {
                throw SystemFailure(call: "write", number: errno)
            }
            var answer = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &answer, answer.count)
            return String(decoding: answer.prefix(max(count, 0)), as: UTF8.self)
        }
    }
}
