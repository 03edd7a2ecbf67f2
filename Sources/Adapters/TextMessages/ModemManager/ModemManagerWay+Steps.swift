import GatewayModel
import HelpLine
import RealTime
import Systemd

/// The steps of one job.
extension ModemManagerWay {
    func find() {
        job?.stage = .finding
        call(
            ModemManager.root, ModemManager.objects, "GetManagedObjects", limit: Self.callLimit,
            orElse: { .way($0.reason("asking ModemManager for its modems")) },
            then: { [unowned self] reply in
                do throws(Modem.Problem) {
                    found(try Modem.choose(settings.modem, of: Modem.all(reply)))
                } catch {
                    fail(.way(error.reason))
                }
            })
    }

    private func found(_ modem: Modem) {
        switch modem.readiness {
        case .ready: ready(modem)
        case .toBeEnabled where settings.mayEnable && job?.hasEnabled == false: enable(modem)
        case .toBeEnabled where !settings.mayEnable:
            // Only looked for, and not to be changed.
            events.append(.looked(.works(detail: "a modem that is switched off; the gateway switches it on")))
            job = nil
        case .toBeEnabled: wait("the modem does not stay switched on: see: journalctl -u ModemManager")
        case .waiting(let reason): wait(reason)
        case .never(let reason): fail(.way(reason))
        }
    }

    private func wait(_ reason: String) {
        job?.stage = .waiting(until: Clock.boot().advanced(by: Self.pause), reason: reason)
    }

    private func enable(_ modem: Modem) {
        job?.stage = .enabling
        job?.hasEnabled = true
        call(
            modem.path, ModemManager.modem, "Enable", [.bool(true)], limit: settings.attemptLimit,
            orElse: { .way($0.reason("switching the modem on")) },
            then: { [unowned self] _ in find() })
    }

    private func ready(_ modem: Modem) {
        switch job?.work {
        case .look:
            events.append(.looked(.works(detail: modem.registration)))
            job = nil
        case .text(_, let text): create(text, in: modem)
        case nil: break
        }
    }

    private func create(_ text: OutgoingText, in modem: Modem) {
        job?.stage = .creating
        let options: [String: BusArgument] = [
            "number": .string(text.recipient.text), "text": .string(text.text),
        ]
        call(
            modem.path, ModemManager.messaging, "Create", [.options(options)], limit: Self.callLimit,
            orElse: { Self.failure($0, "writing a text into the modem", mayHaveArrived: false) },
            then: { [unowned self] reply in
                guard let path = reply.first?.objectPath else {
                    return fail(
                        .way("ModemManager made a text and did not say where; see: journalctl -u ModemManager"))
                }
                send(path, through: modem, parts: TextSize(text.text).parts)
            })
    }

    private func send(_ path: String, through modem: Modem, parts: Int) {
        job?.stage = .sending
        call(
            path, ModemManager.sms, "Send", limit: settings.attemptLimit,
            orElse: { [unowned self] error in
                delete(path, from: modem)
                // Of several parts the first ones may have left before one was refused.
                return Self.failure(error, "sending a text", mayHaveArrived: !error.isAnswer || parts > 1)
            },
            then: { [unowned self] _ in
                if case .text(let number, _)? = job?.work { events.append(.ended(number, .sent)) }
                job = nil
                delete(path, from: modem)
            })
    }

    /// It names a person, and the modem's list of texts is short. Nobody waits for it.
    private func delete(_ path: String, from modem: Modem) {
        try? connection?.send(
            BusCall(
                destination: ModemManager.service, path: modem.path, interface: ModemManager.messaging,
                member: "Delete", arguments: [.objectPath(path)], timeout: Self.callLimit)
        ) { _ in }
    }

    private static func failure(_ error: BusError, _ doing: String, mayHaveArrived: Bool) -> TextFailure {
        TextFailure(
            scope: error.isAboutTheText ? .number : .way, reason: error.reason(doing),
            mayHaveArrived: mayHaveArrived)
    }
}
