import GatewayModel
import Glibc
import HelpLine
import RealTime
import Systemd

/// Texts through ModemManager: `Messaging.Create`, `Sms.Send`, `Messaging.Delete` on the system bus.
///
/// One text at a time, for a modem sends one at a time. Every call has a limit, and each job one besides: a bus
/// that takes calls and never answers ends the job, and the connection with it.
final class ModemManagerWay: SMSBackend {
    struct Settings: Hashable, Sendable {
        let bus: BusAddress
        /// IMEI, port or device; nil for the only one.
        let modem: String?
        let attemptLimit: Duration
        /// Whether a modem that is off is switched on.
        let mayEnable: Bool
    }

    /// 5 s: ModemManager answers these without asking the modem.
    static let callLimit = Duration.seconds(5)
    /// Between two looks at a modem that is not ready yet.
    static let pause = Duration.milliseconds(500)

    let atOnce = 1
    let settings: Settings
    var connection: BusConnection?
    var job: ModemJob?
    private var waiting: [ModemJob.Work] = []
    var events: [TextWayEvent] = []
    private var serial = 0

    init(_ settings: Settings) {
        self.settings = settings
    }

    func start(_ number: Int, _ text: OutgoingText) { waiting.append(.text(number, text)) }

    func look() { waiting.append(.look) }

    var interests: [Poll.Interest] {
        guard let connection, let descriptor = try? connection.descriptor,
            let events = try? connection.events
        else { return [] }
        return [Poll.Interest(descriptor, events: events)]
    }

    var deadline: BootInstant? {
        if !events.isEmpty || job == nil && !waiting.isEmpty { return Clock.boot() }
        let bus = ((try? connection?.timeout) ?? nil).map { Clock.boot().advanced(by: $0) }
        let pause: BootInstant? = if case .waiting(let until, _)? = job?.stage { until } else { nil }
        return [bus, pause, job?.limit].compactMap(\.self).min()
    }

    func advance(at now: BootInstant) -> [TextWayEvent] {
        do throws(BusError) { try connection?.process() } catch { lose(error) }
        if let job {
            if job.limit <= now {
                timeOut(job)
            } else if case .waiting(let until, _) = job.stage, until <= now {
                find()
            }
        }
        while job == nil, !waiting.isEmpty { begin(waiting.removeFirst(), at: now) }
        defer { events = [] }
        return events
    }

    private func begin(_ work: ModemJob.Work, at now: BootInstant) {
        serial += 1
        job = ModemJob(serial: serial, work: work, limit: now.advanced(by: settings.attemptLimit))
        do throws(BusError) {
            if connection == nil { connection = try BusConnection(settings.bus) }
        } catch {
            return fail(.way(error.reason("opening \(settings.bus)")))
        }
        find()
    }

    /// The connection is of no use any more; what hangs on it has failed.
    private func lose(_ error: BusError) {
        connection = nil
        guard let job else { return }
        fail(.way(error.reason(job.doing), mayHaveArrived: job.isSending))
    }

    private func timeOut(_ job: ModemJob) {
        // A modem that is not ready is no fault of the bus. Anything else still has a call out, whose late reply
        // is not to be taken for another's.
        if case .waiting = job.stage {} else { connection = nil }
        let limit = settings.attemptLimit.components.seconds
        fail(.way("\(job.doing); given up after \(limit) s", mayHaveArrived: job.isSending))
    }

    func fail(_ failure: TextFailure) {
        switch job?.work {
        case .text(let number, _): events.append(.ended(number, .failed(failure)))
        case .look: events.append(.looked(.fails(reason: failure.reason)))
        case nil: break
        }
        job = nil
    }

    /// Sends a call for the job that is on now; a reply that comes when it is over is not heard.
    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [], limit: Duration,
        orElse scope: @escaping (BusError) -> TextFailure, then: @escaping ([BusValue]) -> Void
    ) {
        guard let connection, let job else { return }
        // A little more than is left: where the attempt's time is over, that is said, and not that a call was slow.
        let left = Clock.boot().duration(to: job.limit) + .seconds(1)
        let call = BusCall(
            destination: ModemManager.service, path: path, interface: interface, member: member,
            arguments: arguments, timeout: max(min(limit, left), .milliseconds(1)))
        do throws(BusError) {
            try connection.send(call) { [unowned self] reply in
                guard self.job?.serial == job.serial else { return }
                switch reply {
                case .success(let values): then(values)
                case .failure(let error): self.fail(scope(error))
                }
            }
        } catch {
            fail(scope(error))
        }
    }
}
