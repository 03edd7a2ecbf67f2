import BusSupport
import GatewayModel
import RealTime
import Systemd
import Testing

/// An object of ours, called by another connection over the real dbus-daemon.
@Suite struct SystemdObjectTests {
    /// Two connections on one bus; the first exports, the second calls.
    private struct Pair {
        let bus: PrivateBus
        let server: BusConnection
        let client: BusConnection
        let name: String

        init() throws {
            bus = try PrivateBus()
            server = try BusConnection(.address(bus.address))
            client = try BusConnection(.address(bus.address))
            let request = BusCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "RequestName",
                arguments: [.string("org.example.Mine"), .uint32(0)], timeout: .seconds(5))
            _ = try bus.reply(to: request, on: server)
            name = "org.example.Mine"
        }

        func call(_ interface: String, _ member: String, _ arguments: [BusArgument] = []) throws
            -> BusConnection.Reply?
        {
            var reply: BusConnection.Reply?
            let call = BusCall(
                destination: name, path: "/mine", interface: interface, member: member, arguments: arguments,
                timeout: .seconds(5))
            try client.send(call) { reply = $0 }
            let end = Clock.boot().advanced(by: .seconds(5))
            while reply == nil, Clock.boot() < end {
                let waits = try [server, client].map {
                    Poll.Interest(try $0.descriptor, events: try $0.events)
                }
                _ = Poll.wait(waits, timeout: .milliseconds(100))
                try server.process()
                try client.process()
            }
            return reply
        }
    }

    @Test func `a call arrives with its arguments and is answered with typed values`() throws {
        let pair = try Pair()
        var seen: BusRequest?
        try pair.server.export("/mine", interface: "org.example.Door") { request, answer in
            seen = request
            try? answer.reply([.uint32(123_456), .string("è")])
        }
        let reply = try pair.call("org.example.Door", "Knock", [.objectPath("/a"), .variant(.bool(true))])
        #expect(reply == .success([.uint32(123_456), .string("è")]))
        #expect(seen?.member == "Knock")
        #expect(seen?.arguments == [.objectPath("/a"), .bool(true)])
        #expect(seen?.sender.hasPrefix(":") == true)
    }

    @Test func `a refusal keeps its name and text`() throws {
        let pair = try Pair()
        try pair.server.export("/mine", interface: "org.example.Door") { _, answer in
            try? answer.refuse("org.example.Error.Closed", "come back tomorrow")
        }
        let reply = try pair.call("org.example.Door", "Knock")
        #expect(reply == .failure(.remote(name: "org.example.Error.Closed", message: "come back tomorrow")))
    }

    @Test func `an answer that is let go is an error not a silence`() throws {
        let pair = try Pair()
        try pair.server.export("/mine", interface: "org.example.Door") { _, _ in }
        let reply = try pair.call("org.example.Door", "Knock")
        #expect(
            reply
                == .failure(
                    .remote(name: "org.freedesktop.DBus.Error.Failed", message: "the call was not answered")))
    }

    @Test func `another interface is answered that it is not there`() throws {
        let pair = try Pair()
        try pair.server.export("/mine", interface: "org.example.Door") { _, answer in try? answer.reply() }
        guard case .failure(.remote(let name, _))? = try pair.call("org.example.Window", "Knock") else {
            return #expect(Bool(false))
        }
        #expect(name.hasPrefix("org.freedesktop.DBus.Error.Unknown"))
    }

    @Test func `only the first answer counts`() throws {
        let pair = try Pair()
        try pair.server.export("/mine", interface: "org.example.Door") { _, answer in
            try? answer.reply([.bool(true)])
            try? answer.refuse("org.example.Error.Closed", "too late")
        }
        #expect(try pair.call("org.example.Door", "Knock") == .success([.bool(true)]))
        #expect(try pair.call("org.example.Door", "Knock") == .success([.bool(true)]))
    }

    @Test func `an objects handler is let go once with its connection and its answers`() throws {
        final class Token {}
        weak var token: Token?
        var kept: BusAnswer?
        do {
            let pair = try Pair()
            let held = Token()
            token = held
            try pair.server.export("/mine", interface: "org.example.Door") { _, answer in
                _ = held
                kept = answer
            }
            try pair.client.send(
                BusCall(
                    destination: pair.name, path: "/mine", interface: "org.example.Door", member: "Knock",
                    timeout: .seconds(5))
            ) { _ in }
            try pair.bus.turn(pair.client) { (try? pair.client.events) == 1 }
            try pair.bus.turn(pair.server) { kept != nil }
            #expect(kept != nil)
        }
        // The connection is gone: the answer goes nowhere, and with it goes the rest.
        #expect(throws: BusError.self) { try kept?.reply() }
        kept = nil
        #expect(token == nil)
    }
}
