import GatewayModel
import Systemd

/// Listens for a while, and tells which devices are there.
struct ScanOperation: BlueZOperation {
    typealias Value = [NearbyDevice]

    private enum Phase: Hashable, Sendable {
        case beginning, starting
        /// The scan was refused, and is asked for again then.
        case refused(again: BootInstant)
        case scanning(until: BootInstant)
        case stopping(until: BootInstant)
        case done
    }

    /// Enough for a railway station; devices beyond are not kept.
    static let most = 500
    static let stopLimit = Duration.seconds(2)
    /// Refused so often it is no coincidence any more.
    static let mostRefusals = 5
    /// Between two reports of the devices so far: a person reads no faster.
    static let reportPause = Duration.milliseconds(500)

    let wantedAdapter: String?
    let duration: Duration

    private var phase = Phase.beginning
    private var adapter = ""
    private var refusals = 0
    /// As last heard: bluetoothd takes the signal away when discovery ends, and the device soon after.
    private var heard: [String: NearbyDevice] = [:]
    /// When the next report is due; nil while nothing has changed since the last one.
    private var report: BootInstant?
    private var lastReport: BootInstant?

    init(adapter: String?, duration: Duration) {
        wantedAdapter = adapter
        self.duration = duration
    }

    var deadline: BootInstant? {
        switch phase {
        case .scanning(let until): min(until, report ?? until)
        case .refused(let until), .stopping(let until): until
        case .beginning, .starting, .done: nil
        }
    }

    mutating func handle(_ event: BlueZOperationEvent, _ table: DeviceTable, at now: BootInstant) -> [Action] {
        switch event {
        case .began: return begin(table)
        case .changed(let path):
            hear(path, table)
            if report == nil { report = max(now, lastReport?.advanced(by: Self.reportPause) ?? now) }
            return []
        case .replied(let call, let reply): return replied(call, reply, at: now)
        case .tick: return tick(at: now)
        case .cancelled: return stop(at: now)
        case .agent(let ticket, _): return [.refuse(ticket, name: "org.bluez.Error.Rejected")]
        case .answered: return []
        }
    }

    private mutating func begin(_ table: DeviceTable) -> [Action] {
        do throws(PairingError) {
            adapter = try table.adapter(wantedAdapter)
        } catch {
            return finish(.failure(error))
        }
        phase = .starting
        for path in table.devices.keys { hear(path, table) }
        return [.call(.discoveryFilter(adapter)), .call(.adapter(adapter, "StartDiscovery"))]
    }

    private mutating func hear(_ path: String, _ table: DeviceTable) {
        guard let device = table.devices[path], device.adapter == adapter, device.isHere,
            heard[path] != nil || heard.count < Self.most
        else { return }
        heard[path] = table.shown(path)
    }

    private mutating func replied(
        _ call: BusCall, _ reply: BusConnection.Reply, at now: BootInstant
    ) -> [Action] {
        switch (call.member, phase, reply) {
        case ("StartDiscovery", .starting, .failure(let error))
        where error.isRefusedScan && refusals < Self.mostRefusals:
            refusals += 1
            phase = .refused(again: now.advanced(by: Self.scanPause))
            return []
        case ("StartDiscovery", .starting, .failure(let error)):
            return finish(.failure(PairingError(step: "to listen", error)))
        case ("StartDiscovery", .starting, _):
            phase = .scanning(until: now.advanced(by: duration))
            return []
        case ("StopDiscovery", .stopping, _): return finish(.success(sorted))
        default: return []
        }
    }

    private mutating func tick(at now: BootInstant) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .scanning(let until) where now < until:
            (report, lastReport) = (nil, now)
            return [.report(sorted)]
        case .refused:
            phase = .starting
            return [.call(.adapter(adapter, "StartDiscovery"))]
        case .stopping: return finish(.success(sorted))
        default: return stop(at: now)
        }
    }

    private mutating func stop(at now: BootInstant) -> [Action] {
        switch phase {
        case .starting, .refused, .scanning:
            phase = .stopping(until: now.advanced(by: Self.stopLimit))
            return [.call(.adapter(adapter, "StopDiscovery"))]
        case .beginning: return finish(.failure(.cancelled(here: true)))
        case .stopping, .done: return []
        }
    }

    /// The strongest first; connected devices that do not advertise come last.
    private var sorted: [NearbyDevice] {
        heard.values.sorted { left, right in
            (left.signal ?? -128, right.address.description) > (right.signal ?? -128, left.address.description)
        }
    }

    private mutating func finish(_ result: Result<[NearbyDevice], PairingError>) -> [Action] {
        phase = .done
        return [.finish(result)]
    }
}
