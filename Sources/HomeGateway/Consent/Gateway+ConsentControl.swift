import Consent
import GatewayModel
import Hub
import Settings

// What the command line asks about consent, on the control thread.
extension Gateway {
    func decide(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        let what = request.subject ?? ""
        if let subject = ConsentSubject(rawValue: what) {
            decide(subject, request, reply)
        } else if let id = RequestID(what) {
            decide(id, request, reply)
        } else {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            reply(.refused("say what: \(known) or the id of a request"))
        }
    }

    private func decide(
        _ subject: ConsentSubject, _ request: ControlRequest, _ reply: @escaping ControlAnswer
    ) {
        guard let person = request.person.flatMap({ PersonID($0) }) else {
            return reply(.refused("say for whom, with --person ID; expected \(PersonID.form)"))
        }
        switch request.verb {
        case .accept: decide(.policy(subject, .accepted), for: person, request, reply)
        case .withdraw: decide(.policy(subject, .withdrawn), for: person, request, reply)
        default: reply(.refused("\(subject.rawValue) is accepted or withdrawn; only requests are refused"))
        }
    }

    private func decide(_ id: RequestID, _ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        let record = gate.snapshot.requests[id]
        let person = request.person.map { PersonID($0) } ?? record?.request.person
        guard let person else {
            return reply(.refused("no request '\(id)'; see: homegateway consent list"))
        }
        let act: ConsentAct =
            switch request.verb {
            case .accept: .granted(id)
            case .refuse: .refused(id)
            default: .withdrawn(id)
            }
        decide(act, for: person, request, reply)
    }

    private func decide(
        _ act: ConsentAct, for person: PersonID, _ request: ControlRequest,
        _ reply: @escaping ControlAnswer
    ) {
        decide(act, for: person, by: request.callerName, means: .commandLine) { result in
            switch result {
            case .success(let outcome): reply(ControlReply(isDone: true, lines: outcome.lines))
            case .failure(let refusal): reply(.refused(refusal.description))
            }
        }
    }

    func showRequest(_ request: ControlRequest, _ reply: ControlAnswer) {
        guard let record = request.subject.flatMap({ RequestID($0) }).flatMap({ gate.snapshot.requests[$0] }),
            let person = settings.persons.first(where: { $0.id == record.request.person })
        else {
            return reply(.refused("no request '\(request.subject ?? "")'; see: homegateway consent list"))
        }
        reply(ControlReply(isDone: true, lines: record.lines(for: person.name)))
    }

    func showHistory(of request: ControlRequest, _ reply: ControlAnswer) {
        let ledger = gate.snapshot
        let entries = ledger.entries.filter {
            request.person == nil || $0.decision.person.text == request.person
        }
        reply(
            ControlReply(
                isDone: true,
                lines: entries.isEmpty ? ["nothing was decided yet"] : entries.map { $0.line(ledger.requests) })
        )
    }

    var consentLines: [String] {
        settings.persons.flatMap { person in
            ConsentSubject.allCases.map { subject in
                "\(person.id): \(subject.rawValue) \(gate.holds(subject, for: person.id) ? "accepted" : "not accepted")"
            }
        }
    }

    /// The oldest first.
    var requestLines: [String] {
        let persons = Set(settings.persons.map(\.id))
        return gate.snapshot.requests.values.filter { persons.contains($0.request.person) }
            .sorted { ($0.asked, $0.request.id.text) < ($1.asked, $1.request.id.text) }.map(\.line)
    }
}
