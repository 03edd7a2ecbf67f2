import GatewayModel
import Glibc
import RealTime
import WireFormats

/// The body of the "hci" thread: it owns the monitor socket and the machine, reads, and performs the actions
/// that the machine decides. Made and used on that thread only.
final class ScanLoop {
    private let kernel: any HCIKernel
    private let stop: StopRequest
    private let filter: () -> AdvertFilter
    private let onAdverts: ([Advert]) -> Void
    private let onEvent: (HCIScanEvent) -> Void
    private var machine: ScanMachine
    private var intake: AdvertIntake
    private var batch = PacketBatch(packets: ScanLoop.packetsAtOnce, size: MonitorPacket.longest)
    private var monitor: Int32?
    private var figures = ScanFigures()

    init(
        _ machine: ScanMachine, kernel: any HCIKernel, stop: StopRequest, filter: @escaping () -> AdvertFilter,
        onAdverts: @escaping ([Advert]) -> Void, onEvent: @escaping (HCIScanEvent) -> Void
    ) {
        self.machine = machine
        self.kernel = kernel
        self.stop = stop
        self.filter = filter
        self.onAdverts = onAdverts
        self.onEvent = onEvent
        intake = AdvertIntake(filter())
    }

    /// Batches between two looks at the clock and the stop: 1,024 packets.
    private static let batchesAtOnce = 16
    private static let packetsAtOnce = 64

    /// Returns soon after a stop was asked for, its own scan ended.
    func run() {
        perform(machine.start())
        while machine.phase != .stopped {
            wait()
            if stop.isRequested, machine.phase != .stopping { perform(machine.stop(at: Clock.boot())) }
            if monitor != nil { receive() }
            perform(machine.tick(at: Clock.boot()))
        }
        closeMonitor()
    }

    private func wait() {
        let timeout = machine.deadline.map { Clock.boot().duration(to: $0) }
        // Once a stop was asked for, its descriptor stays readable: waiting for it would be spinning.
        let wakeups = stop.isRequested && machine.phase == .stopping ? [] : [stop.wakeup.descriptor]
        _ = Poll.wait((wakeups + [monitor].compactMap { $0 }).map { Poll.Interest($0) }, timeout: timeout)
    }
}

// MARK: Reading

extension ScanLoop {
    private func receive() {
        intake.filter = filter()
        var adverts: [Advert] = []
        var signs: [MonitorPacket] = []
        let reports = intake.counts.reports
        do throws(SystemCallError) {
            for _ in 0..<Self.batchesAtOnce {
                guard let monitor else { break }
                let count = try batch.receive(from: monitor)
                take(arrival: Clock.boot(), into: &adverts, &signs)
                // The last waiting packet: another call would only tell that there is no more.
                if count < Self.packetsAtOnce { break }
            }
        } catch {
            perform(machine.monitorFailed(error, at: Clock.boot()))
        }
        if !adverts.isEmpty { onAdverts(adverts) }
        if intake.counts.reports > reports { perform(machine.heard(at: Clock.boot())) }
        for sign in signs { react(to: sign) }
        if let monitor, figures.isDue(at: Clock.boot()) {
            figures.changes(drops: kernel.drops(monitor), counts: intake.counts).forEach(onEvent)
        }
    }

    /// - Parameter arrival: of the whole batch, read right after the call that brought it.
    private func take(arrival: BootInstant, into adverts: inout [Advert], _ signs: inout [MonitorPacket]) {
        let watched = machine.watched
        batch.visit { packet in
            switch MonitorPacket(packet) {
            case .leMeta(let adapter, let event) where adapter == watched:
                intake.take(packet.extracting(event), arrival: arrival, into: &adverts)
            case .leMeta, .other: break
            case .malformed: figures.malformedPackets += 1
            case let sign: signs.append(sign)
            }
        }
    }

    private func react(to sign: MonitorPacket) {
        switch sign {
        case .command(let adapter, let command) where adapter == machine.watched: machine.observed(command)
        case .completed(let adapter, let opcode, let status, let hasExtendedScan)
        where adapter == machine.watched:
            let actions = machine.completed(
                opcode: opcode, status: status, hasExtendedScan: hasExtendedScan, at: Clock.boot())
            perform(actions)
        case .adaptersChanged: perform(machine.adaptersChanged())
        default: break
        }
    }
}

// MARK: Doing

extension ScanLoop {
    private func perform(_ actions: [ScanMachine.Action]) {
        for action in actions {
            switch action {
            case .openMonitor: openMonitor()
            case .closeMonitor: closeMonitor()
            case .listAdapters: listAdapters()
            case .watch(let adapter): watch(adapter)
            case .send(let command, let adapter): send(command, adapter)
            case .emit(let event): onEvent(event)
            }
        }
    }

    private func openMonitor() {
        closeMonitor()
        do throws(SystemCallError) {
            monitor = try kernel.openMonitor()
            figures.opened()
            perform(machine.monitorOpened(at: Clock.boot()))
        } catch {
            perform(machine.monitorFailed(error, at: Clock.boot()))
        }
    }

    private func closeMonitor() {
        if let monitor { close(monitor) }
        monitor = nil
    }

    private func listAdapters() {
        do throws(LocalAdapters.Failure) {
            let adapters = try kernel.adapters()
            perform(machine.listed(adapters, at: Clock.boot()))
        } catch {
            perform(machine.listFailed(error, at: Clock.boot()))
        }
    }

    private func watch(_ adapter: UInt16?) {
        guard let monitor else { return }
        do throws(SystemCallError) {
            try kernel.watch(adapter, on: monitor)
        } catch {
            perform(machine.monitorFailed(error, at: Clock.boot()))
        }
    }

    private func send(_ command: ScanCommand, _ adapter: UInt16) {
        do throws(SystemCallError) {
            try kernel.send(command, to: adapter)
        } catch {
            perform(machine.sendFailed(error, at: Clock.boot()))
        }
    }
}
