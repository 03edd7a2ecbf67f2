import BusSupport
import Glibc
import Systemd
import Testing

/// Against the real dbus-daemon, as a private bus of this test's own.
@Suite struct SystemdBusTests {
    @Test func `a missing bus is an error that says where`() {
        #expect(throws: BusError.self) { try BusConnection(.address("unix:path=/nonexistent/bus")) }
    }

    @Test func `a call is answered with typed values`() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address))
        let reply = try bus.reply(
            to: busCall("NameHasOwner", [.string("org.freedesktop.DBus")]), on: connection)
        #expect(reply == .success([.bool(true)]))
    }

    @Test func `arrays dictionaries and bytes are read by their container`() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address))
        let names = try bus.reply(to: busCall("ListNames"), on: connection)
        #expect(try names?.get().first?.strings?.contains("org.freedesktop.DBus") == true)
        // a{sv} with u, au and, where the kernel labels sockets, ay.
        let me = try bus.reply(to: busCall("GetConnectionCredentials", [.string(":1.0")]), on: connection)
        #expect(try me?.get().first?.properties?["ProcessID"] == .uint32(UInt32(getpid())))
    }

    @Test func `a d bus error keeps its name and message`() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address))
        let reply = try bus.reply(to: busCall("GetNameOwner", [.string("org.nobody")]), on: connection)
        guard case .failure(.remote(let name, let message))? = reply else { return #expect(Bool(false)) }
        #expect(name == "org.freedesktop.DBus.Error.NameHasNoOwner")
        #expect(message.contains("org.nobody"))
    }

    @Test func `a signal reaches its subscriber`() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address))
        var seen: BusSignal?
        try connection.subscribe("type='signal',member='NameOwnerChanged',arg0='org.example.Mine'") {
            seen = $0
        }
        _ = try bus.reply(
            to: busCall("RequestName", [.string("org.example.Mine"), .uint32(0)]), on: connection)
        try bus.turn(connection) { seen != nil }
        #expect(seen?.arguments.first == .string("org.example.Mine"))
    }

    @Test func `a dead daemon fails open calls and then the connection`() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address))
        _ = try bus.reply(to: busCall("GetId"), on: connection)
        var reply: BusConnection.Reply?
        bus.freeze()
        try connection.send(busCall("GetId")) { reply = $0 }
        bus.end()
        #expect(throws: BusError.disconnected(number: 104)) { try bus.turn(connection) { false } }
        guard case .failure? = reply else { return #expect(Bool(false)) }
    }

    @Test func `a handler is let go once with its connection`() throws {
        final class Token {}
        weak var token: Token?
        let bus = try PrivateBus()
        do {
            let connection = try BusConnection(.address(bus.address))
            let held = Token()
            token = held
            try connection.subscribe("type='signal',member='Never'") { _ in _ = held }
            try connection.send(busCall("GetId")) { _ in _ = held }
            #expect(token != nil)
        }
        #expect(token == nil)
    }

    @Test func `outside systemd nothing is notified`() {
        ServiceNotifier.ready()
        ServiceNotifier.status("one\nWATCHDOG=1")
        #expect(ServiceNotifier.watchdogInterval == nil)
    }

    private func busCall(_ member: String, _ arguments: [BusArgument] = []) -> BusCall {
        BusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: member, arguments: arguments, timeout: .seconds(5))
    }
}
