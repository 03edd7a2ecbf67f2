import GatewayModel
import Glibc
import RealTime
import Testing

@testable import Wearables
@testable import WireFormats

/// A machine and the time it is told, with a controller that answers when the test says so.
private struct Bench {
    var machine: ScanMachine
    var now = BootInstant(nanoseconds: 0)

    init(wanted: String? = nil, ownScan: Bool = true, adapters: [LocalAdapter] = [HCIMonitor.hci0]) {
        machine = ScanMachine(wanted: wanted, ownScan: ownScan, seed: 1)
        _ = machine.start()
        _ = machine.monitorOpened(at: now)
        opened = machine.listed(adapters, at: now)
    }

    let opened: [ScanMachine.Action]

    mutating func tick(after pause: Duration = .zero) -> [ScanMachine.Action] {
        now = now.advanced(by: pause)
        return machine.tick(at: now)
    }

    /// The monitor shows a command and the controller's answer to it.
    mutating func observe(
        _ command: ObservedCommand?, _ opcode: UInt16, _ status: UInt8 = 0, extended: Bool? = nil
    )
        -> [ScanMachine.Action]
    {
        if let command { machine.observed(command) }
        return machine.completed(opcode: opcode, status: status, hasExtendedScan: extended, at: now)
    }

    /// Somebody else's scan begins.
    mutating func discovery(
        isActive: Bool, listedOnly: Bool = false, filtersDuplicates: Bool = true
    ) -> [ScanMachine.Action] {
        let window = Duration.microseconds(11_250)
        _ = observe(
            .parameters(
                .legacy, isActive: isActive, interval: window, window: window, listedOnly: listedOnly), 0x200B)
        return observe(.enable(.legacy, isOn: true, filtersDuplicates: filtersDuplicates), 0x200C)
    }

    mutating func discoveryEnds() -> [ScanMachine.Action] {
        observe(.enable(.legacy, isOn: false, filtersDuplicates: false), 0x200C)
    }

    /// The answers to our own commands, until our scan runs.
    mutating func obey() -> [ScanMachine.Action] {
        var last: [ScanMachine.Action] = []
        while case .asking(let command) = machine.phase {
            last = observe(Self.asSeen(command), command.opcode, extended: false)
        }
        return last
    }

    static func asSeen(_ command: ScanCommand) -> ObservedCommand? {
        ObservedCommand(opcode: command.opcode, parameters: command.packet.span.extracting(4...))
    }

    static func scanning() -> Bench {
        var bench = Bench()
        _ = bench.tick()
        _ = bench.obey()
        return bench
    }
}

private let scanningEvent = ScanMachine.Action.emit(.scanning(adapter: "hci0"))

@Suite struct `A scan machine` {
    @Test func `starts its scan where nobody scans: asks what the controller can, then sets, then enables`() {
        var bench = Bench()
        #expect(bench.opened == [.watch(0)])
        let asked = bench.tick()
        #expect(asked == [.send(.readSupportedCommands, to: 0)])
        let set = bench.observe(nil, 0x1002, extended: false)
        #expect(set == [.send(.setParameters(.legacy), to: 0)])
        let enabled = bench.observe(Bench.asSeen(.setParameters(.legacy)), 0x200B)
        #expect(enabled == [.send(.enable(.legacy), to: 0)])
        let told = bench.observe(Bench.asSeen(.enable(.legacy)), 0x200C)
        #expect(told == [scanningEvent])
        #expect(bench.machine.phase == .scanning)
    }

    @Test func `uses the extended commands where the controller has them`() {
        var bench = Bench()
        _ = bench.tick()
        let set = bench.observe(nil, 0x1002, extended: true)
        #expect(set == [.send(.setParameters(.extended), to: 0)])
        let last = bench.obey()
        #expect(last == [scanningEvent])
    }

    @Test func `follows the kernel's choice of commands rather than the controller's word`() {
        var bench = Bench()
        _ = bench.tick()
        bench.machine.observed(.enable(.legacy, isOn: false, filtersDuplicates: false))
        let set = bench.observe(nil, 0x1002, extended: true)
        #expect(set == [.send(.setParameters(.legacy), to: 0)])
    }

    @Test func `listens where it is refused because somebody scans, and tries again later and later`() {
        var bench = Bench()
        _ = bench.tick()
        _ = bench.observe(nil, 0x1002, extended: false)
        let told = bench.observe(nil, 0x200B, ScanMachine.disallowed)
        #expect(told == [.emit(.listening(adapter: "hci0", nil))])
        var pauses: [Duration] = []
        for _ in 0..<7 {
            let deadline = bench.machine.deadline ?? bench.now
            pauses.append(bench.now.duration(to: deadline))
            _ = bench.machine.heard(at: deadline)
            let again = bench.tick(after: bench.now.duration(to: deadline))
            #expect(again == [.send(.setParameters(.legacy), to: 0)])
            let toldAgain = bench.observe(nil, 0x200B, ScanMachine.disallowed)
            #expect(toldAgain.isEmpty)
        }
        #expect(pauses.first.map { $0 <= .seconds(1) } == true)
        #expect(pauses.allSatisfy { $0 <= .seconds(30) })
        #expect(pauses.last.map { $0 > .seconds(20) } == true)
    }

    @Test func `leaves a discovery running, but has it report each advertisement`() {
        var bench = Bench.scanning()
        _ = bench.discoveryEnds()
        let asked = bench.discovery(isActive: true)
        #expect(asked == [.send(.enable(.legacy), to: 0)])
        let told = bench.observe(Bench.asSeen(.enable(.legacy)), 0x200C)
        let window = Duration.microseconds(11_250)
        let conditions = ScanConditions(
            isActive: true, interval: window, window: window, hearsListedOnly: false, filtersDuplicates: false)
        #expect(told == [.emit(.listening(adapter: "hci0", conditions))])
        #expect(bench.machine.phase == .listening)
    }

    @Test func `asks that of a discovery once, also where it is refused`() {
        var bench = Bench.scanning()
        let asked = bench.discovery(isActive: true)
        #expect(asked == [.send(.enable(.legacy), to: 0)])
        let told = bench.observe(nil, 0x200C, ScanMachine.disallowed)
        #expect(told.count == 1)
        #expect(bench.machine.phase == .listening)
    }

    @Test func `scans again a moment after a discovery has ended`() {
        var bench = Bench.scanning()
        _ = bench.discovery(isActive: true, filtersDuplicates: false)
        let ended = bench.discoveryEnds()
        #expect(ended.isEmpty)
        let early = bench.tick(after: ScanMachine.restPause / 2)
        #expect(early.isEmpty)
        let late = bench.tick(after: ScanMachine.restPause)
        #expect(late == [.send(.setParameters(.legacy), to: 0)])
        let told = bench.obey()
        #expect(told == [scanningEvent])
    }

    @Test func `stands in for the kernel's waiting for listed devices, and lets it go on at the end`() {
        var bench = Bench.scanning()
        _ = bench.discoveryEnds()
        let told = bench.discovery(isActive: false, listedOnly: true)
        #expect(told.count == 1)
        #expect(bench.machine.phase == .listening)
        let replaced = bench.tick(after: ScanMachine.restPause)
        #expect(replaced == [.send(.disable(.legacy), to: 0)])
        let scanning = bench.obey()
        #expect(scanning == [scanningEvent])
        let stopped = bench.machine.stop(at: bench.now)
        #expect(stopped.isEmpty)
        #expect(bench.machine.phase == .stopped)
    }

    @Test func `ends its own scan at the end, and waits a moment for the answer`() {
        var bench = Bench.scanning()
        let stopping = bench.machine.stop(at: bench.now)
        #expect(stopping == [.send(.disable(.legacy), to: 0)])
        #expect(bench.machine.phase == .stopping)
        var unanswered = bench
        let nothing = bench.discoveryEnds()
        #expect(nothing.isEmpty)
        #expect(bench.machine.phase == .stopped)
        _ = unanswered.tick(after: ScanMachine.stopLimit)
        #expect(unanswered.machine.phase == .stopped)
    }

    @Test func `never ends a scan that is not its own`() {
        var bench = Bench.scanning()
        _ = bench.discovery(isActive: true, filtersDuplicates: false)
        let stopped = bench.machine.stop(at: bench.now)
        #expect(stopped.isEmpty)
        #expect(bench.machine.phase == .stopped)
    }

    @Test func `sends nothing where it may only listen`() {
        var bench = Bench(ownScan: false)
        let idle = bench.tick(after: .seconds(60))
        #expect(idle.isEmpty)
        let began = bench.discovery(isActive: true)
        #expect(began.count == 1)
        let ended = bench.discoveryEnds()
        #expect(ended == [.emit(.listening(adapter: "hci0", nil))])
        #expect(bench.machine.deadline == nil)
    }

    @Test func `says once that nothing is heard, starts anew, and says when something is`() {
        var bench = Bench.scanning()
        _ = bench.machine.heard(at: bench.now)
        let silent = bench.tick(after: ScanMachine.silenceLimit)
        #expect(silent == [.emit(.silent(adapter: "hci0", hasHeard: false)), .send(.disable(.legacy), to: 0)])
        let restarted = bench.obey()
        #expect(restarted.isEmpty)
        let again = bench.tick(after: ScanMachine.silenceLimit)
        #expect(again == [.send(.disable(.legacy), to: 0)])
        _ = bench.obey()
        let heard = bench.machine.heard(at: bench.now)
        #expect(heard == [.emit(.heardAgain(adapter: "hci0")), scanningEvent])
    }

    @Test func `replaces a scan that it did not see begin where that one hears nothing`() {
        var bench = Bench()
        _ = bench.tick()
        _ = bench.observe(nil, 0x1002, extended: false)
        _ = bench.observe(nil, 0x200B, ScanMachine.disallowed)
        var silent: [ScanMachine.Action] = []
        while bench.now < BootInstant(nanoseconds: 60_000_000_000), silent.isEmpty {
            let done = bench.tick(after: .milliseconds(500))
            if done == [.send(.setParameters(.legacy), to: 0)] {
                _ = bench.observe(nil, 0x200B, ScanMachine.disallowed)
            } else {
                silent = done
            }
        }
        #expect(silent == [.emit(.silent(adapter: "hci0", hasHeard: false)), .send(.disable(.legacy), to: 0)])
        #expect(bench.now <= BootInstant(nanoseconds: 31_000_000_000))
        let restarted = bench.obey()
        #expect(restarted.isEmpty)
        #expect(bench.machine.phase == .scanning)
        let heard = bench.machine.heard(at: bench.now)
        #expect(heard == [.emit(.heardAgain(adapter: "hci0")), scanningEvent])
    }

    @Test func `says once that nothing is heard in a discovery, and leaves that running`() {
        var bench = Bench.scanning()
        _ = bench.discoveryEnds()
        _ = bench.discovery(isActive: true, filtersDuplicates: false)
        var told: [ScanMachine.Action] = []
        for _ in 0..<100 {
            let done = bench.tick(after: .seconds(1))
            if done.contains(.send(.setParameters(.legacy), to: 0)) {
                told += done.filter { $0 != .send(.setParameters(.legacy), to: 0) }
                told += bench.observe(nil, 0x200B, ScanMachine.disallowed)
            } else {
                told += done
            }
        }
        #expect(told == [.emit(.silent(adapter: "hci0", hasHeard: false))])
        let heard = bench.machine.heard(at: bench.now)
        #expect(heard == [.emit(.heardAgain(adapter: "hci0"))])
    }

    @Test func `says of a silence whether many adverts came before it`() {
        var bench = Bench.scanning()
        for _ in 0..<ScanMachine.noise { _ = bench.machine.heard(at: bench.now) }
        let silent = bench.tick(after: ScanMachine.silenceLimit)
        #expect(silent == [.emit(.silent(adapter: "hci0", hasHeard: true)), .send(.disable(.legacy), to: 0)])
    }

    @Test func `says what the controller refuses or leaves unanswered, and tries again`() {
        var bench = Bench()
        _ = bench.tick()
        let late = bench.tick(after: ScanMachine.answerLimit)
        #expect(late == [.emit(.unavailable(.unanswered(.readSupportedCommands)))])
        let again = bench.tick(after: .seconds(1))
        #expect(again == [.send(.readSupportedCommands, to: 0)])
        _ = bench.observe(nil, 0x1002, extended: false)
        let refused = bench.observe(nil, 0x200B, 0x12)
        #expect(refused == [.emit(.unavailable(.refused(.setParameters(.legacy), status: 0x12)))])
        #expect(bench.machine.phase == .resting)
    }

    @Test func `takes the adapter it is told, by name or address, and waits for it`() {
        let hci1 = LocalAdapter(number: 1, name: "hci1", address: .init(octets: 0xAB), isUp: true)
        #expect(Bench(wanted: "hci1", adapters: [HCIMonitor.hci0, hci1]).opened == [.watch(1)])
        #expect(Bench(wanted: "00:00:00:00:00:ab", adapters: [HCIMonitor.hci0, hci1]).opened == [.watch(1)])
        var bench = Bench(wanted: "hci1")
        guard case .emit(.unavailable(let obstacle))? = bench.opened.first else {
            Issue.record("\(bench.opened)")
            return
        }
        #expect(obstacle.kind == .noAdapter)
        let looked = bench.tick(after: ScanMachine.lookPause)
        #expect(looked == [.listAdapters])
        let found = bench.machine.listed([HCIMonitor.hci0, hci1], at: bench.now)
        #expect(found == [.watch(1)])
    }

    @Test func `notices that the adapter is switched off, and on again`() {
        var bench = Bench.scanning()
        let off = LocalAdapter(number: 0, name: "hci0", address: .init(octets: 1), isUp: false)
        let changed = bench.machine.adaptersChanged()
        #expect(changed == [.listAdapters])
        let down = bench.machine.listed([off], at: bench.now)
        #expect(down == [.watch(nil), .emit(.unavailable(.down("hci0")))])
        let up = bench.machine.listed([HCIMonitor.hci0], at: bench.now)
        #expect(up == [.watch(0)])
        // What its controller can is asked anew: it may be another.
        let asked = bench.tick()
        #expect(asked == [.send(.readSupportedCommands, to: 0)])
    }

    @Test(
        arguments: [
            (EPERM, .noPermission), (EAFNOSUPPORT, .noBluetooth), (ENOMEM, .refused),
        ] as [(Int32, ScanObstacle.Kind)])
    func `says why the monitor cannot be opened, and tries again`(_ number: Int32, _ kind: ScanObstacle.Kind) {
        var machine = ScanMachine(wanted: nil, ownScan: true, seed: 1)
        let now = BootInstant(nanoseconds: 0)
        let failed = machine.monitorFailed(SystemCallError("bind", number: number), at: now)
        guard case .emit(.unavailable(let obstacle))? = failed.last else {
            Issue.record("\(failed)")
            return
        }
        #expect(obstacle.kind == kind)
        let again = machine.tick(at: now.advanced(by: .seconds(1)))
        #expect(again == [.openMonitor])
    }
}
