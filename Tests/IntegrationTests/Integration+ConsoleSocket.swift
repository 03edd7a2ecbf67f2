import ControlContract
import ControlLink
import Foundation
import GatewayModel
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The console's socket of the running gateway.
    @Suite struct ConsoleSocket {
        private static func path(_ house: House) -> String {
            URL(filePath: house.controlSocket).deletingLastPathComponent().appending(path: "console.sock").path
        }

        private static func ask<Request: ControlVerb>(
            _ house: House, _ request: Request, _ role: ControlSession.Role, _ person: String?,
            _ name: String
        ) throws -> ControlReply<Request.Document> {
            var client = try ControlClient(path: path(house))
            return try client.ask(
                request,
                for: try ControlSession(role: role, person: person.flatMap { PersonID($0) }, name: name))
        }

        private static func state(
            _ house: House, _ role: ControlSession.Role, _ person: String? = nil
        ) throws -> HouseSnapshot {
            let reply = try ask(house, Verb.Status(), role, person, "a test")
            guard let state = reply.document else {
                throw Missing(description: "\(reply.lines)")
            }
            #expect(reply.lines.isEmpty, "lines for installers name everybody")
            return state
        }

        @Test func `gives no code for a person of another house, and no address that leads nowhere`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let program = house.scratch.file("homegateway-console").path
                try FileManager.default.createSymbolicLink(
                    atPath: program, withDestinationPath: BuiltProgram.homegateway)
                func pair(_ person: String, listen: String = "127.0.0.1:8765") async throws
                    -> BuiltProgram.Answer
                {
                    let config = try house.scratch.write(
                        """
                        listen = ["\(listen)"]
                        gateway_socket = "\(Self.path(house))"
                        state_directory = "\(house.scratch.url.path)/console"
                        """, to: "console.toml")
                    return try await BuiltProgram.answer(of: [
                        program, "pair", "--role", "family", "--person", person, "--name", "Anna", "--config",
                        config.path,
                    ])
                }
                let stranger = try await pair("marla")
                #expect(stranger.code == 64 && !stranger.output.contains("code: "), "\(stranger)")
                #expect(
                    stranger.errors.contains("saw 'marla', expected a person of this house: maria"),
                    "\(stranger)")
                let local = try await pair("maria")
                #expect(local.code == 0 && local.output.contains("for a browser of this box alone"), "\(local)")
                #expect(local.output.contains("let them in by listen in"), "\(local)")
                let every = try await pair("maria", listen: "0.0.0.0:8765")
                #expect(every.code == 0 && !every.output.contains("//0.0.0.0"), "\(every)")
                #expect(try await gateway.daemon.terminate().code == 0)
                let alone = try await pair("maria")
                #expect(alone.code == 0 && alone.errors.contains("it was not checked"), "\(alone)")
            }
        }

        @Test func `lets the room cancel an alarm, and call help after all, by its name`() async throws {
            var settings = HouseSettings()
            (settings.abortWindow, settings.calls) = (60, "early_notice = true")
            try await House.with(settings) { house in
                let gateway = try await house.start()
                // Without the broker there is no way to call help.
                try await gateway.daemon.child.errors.first("the session") { $0.contains("broker connected") }
                try await house.rig.subscribed()
                for _ in 0..<4 { try await house.rig.send(150) }
                let alarm = try #require(try await gateway.alarm().alarm)
                let end = try Verb.AlarmEnd(alarm: alarm, person: nil, by: nil)
                let stranger = try Self.ask(house, Verb.Abort(end), .family, "maria", "Anna")
                #expect(
                    !stranger.isDone && stranger.lines.first?.contains("family") == true, "\(stranger.lines)")
                let cancelled = try Self.ask(house, Verb.Abort(end), .room, nil, "Kitchen")
                #expect(cancelled.isDone, "\(cancelled.lines)")
                let ended = try #require(try Self.state(house, .room).recentAlarms.first)
                #expect(ended.ending?.by == "Kitchen" && ended.ending?.means == "screen", "\(ended)")

                let call = try Verb.CallHelp(person: nil, alarm: alarm, by: nil)
                let called = try Self.ask(house, call, .room, nil, "Kitchen")
                #expect(called.isDone && called.lines == ["help is called now"], "\(called.lines)")
                let open = try #require(try Self.state(house, .room).alarms.first)
                #expect(open.rule == "sos-button" && open.device == "house-screen", "\(open)")
                let again = try Self.ask(
                    house, try Verb.CallHelp(person: "maria", alarm: nil, by: nil), .carer,
                    "maria", "Anna")
                #expect(again.isDone && again.lines == ["help is being called already"], "\(again.lines)")
                let take = try Verb.AlarmEnd(alarm: open.id, person: nil, by: nil)
                let taken = try Self.ask(house, Verb.AcceptAlarm(take), .carer, "maria", "Anna")
                #expect(taken.isDone, "\(taken.lines)")
                let accepted = try #require(try Self.state(house, .carer, "maria").recentAlarms.first)
                #expect(accepted.ending?.how == "accepted" && accepted.ending?.channel == "house-pages")
                #expect(accepted.ending?.by == "Anna" && accepted.ending?.means == "page", "\(accepted)")
            }
        }

        @Test func `has the acts of the command line too: call help, and take the call`() async throws {
            var settings = HouseSettings()
            (settings.abortWindow, settings.calls) = (60, "early_notice = true")
            try await House.with(settings) { house in
                _ = try await house.start()
                let nobody = try await house.command("call-help")
                #expect(nobody.code == 64 && nobody.errors.contains("--person"), "\(nobody)")
                let called = try await house.command("call-help", "--person", "maria", "--by", "Luca")
                #expect(called.code == 0 && called.output.contains("help is called now"), "\(called)")
                let again = try await house.command("call-help", "--person", "maria", "--by", "Luca")
                #expect(again.code == 0 && again.output.contains("help is being called already"), "\(again)")
                let taken = try await house.command("accept", "--by", "Luca")
                #expect(taken.code == 0 && taken.output.contains("nobody else is called"), "\(taken)")
                let ended = try #require(try Self.state(house, .room).recentAlarms.first)
                #expect(ended.ending?.by == "Luca" && ended.ending?.means == "command-line", "\(ended)")
                let list = try await house.command("alarms", "list", "--json")
                let document = try ControlJSON.decode(
                    AlarmHistory.self, from: Array(list.output.utf8.prefix { $0 != UInt8(ascii: "\n") }))
                let listed = try Self.ask(
                    house,
                    Verb.Alarms(
                        person: PersonID("maria")!, from: WallTime(millisecondsSince1970: 0),
                        to: WallTime(millisecondsSince1970: .max)), .person, "maria", "Maria")
                guard let history = listed.document else {
                    throw Missing(description: "\(listed.lines)")
                }
                #expect(history.alarms.map(\.ending?.how) == ["accepted"] && history == document)
                let stranger = try Self.ask(
                    house,
                    Verb.Alarms(
                        person: PersonID("luigi")!, from: WallTime(millisecondsSince1970: 0),
                        to: WallTime(millisecondsSince1970: .max)), .person, "maria", "Maria")
                #expect(!stranger.isDone && stranger.document == nil)
            }
        }

        @Test func `answers nothing without a session but the states, and shows a visitor nobody`() async throws
        {
            try await House.with(HouseSettings()) { house in
                _ = try await house.start()
                var client = try ControlClient(path: Self.path(house))
                let reply = try client.ask(Verb.Status())
                #expect(
                    !reply.isDone && reply.document == nil && reply.lines.first?.contains("session") == true)
                #expect(try Self.state(house, .anyone).persons.isEmpty)
                #expect(try Self.state(house, .family, "maria").persons.map(\.id) == ["maria"])
                var follower = try ControlClient(path: Self.path(house))
                try follower.send(Verb.Follow())
                let line = try #require(try follower.nextLine())
                #expect(try ControlJSON.decode(HouseSnapshot.self, from: line).persons.count == 1)
            }
        }

        @Test func `that cannot be made is told with its remedy, and stops nothing else`() async throws {
            var settings = HouseSettings()
            settings.gateway = "console_socket = \"/proc/console.sock\""
            try await House.with(settings) { house in
                _ = try await house.start()
                let status = try await house.command("status")
                #expect(status.code == 0)
                #expect(status.output.contains("The socket of the pages cannot be made"), "\(status)")
                #expect(status.output.contains("systemctl restart homegateway"), "\(status)")
            }
        }

        @Test(.enabled(if: geteuid() == 0, "needs root, to ask under another account"))
        func `hangs up on every other account of the machine`() async throws {
            try await House.with(HouseSettings()) { house in
                _ = try await house.start()
                let path = Self.path(house)
                for directory in sequence(
                    first: URL(filePath: path).deletingLastPathComponent(),
                    next: { $0.path == "/tmp" || $0.path == "/" ? nil : $0.deletingLastPathComponent() })
                where directory.path != "/tmp" && directory.path != "/" {
                    _ = chmod(directory.path, 0o755)
                }
                let program = """
                    import os, socket, sys
                    os.setgid(65534); os.setuid(65534)
                    peer = socket.socket(socket.AF_UNIX)
                    peer.connect(sys.argv[1])
                    try:
                        peer.sendall(b'{"verb":"follow"}\\n')
                        print('answer' if peer.recv(100) else 'closed')
                    except (BrokenPipeError, ConnectionResetError):
                        print('closed')
                    """
                let python = Process()
                let output = Pipe()
                python.executableURL = URL(filePath: "/usr/bin/env")
                python.arguments = ["python3", "-c", program, path]
                python.standardOutput = output
                try python.run()
                let said = try output.fileHandleForReading.readToEnd() ?? Data()
                python.waitUntilExit()
                #expect(String(decoding: said, as: UTF8.self) == "closed\n")
            }
        }
    }
}
