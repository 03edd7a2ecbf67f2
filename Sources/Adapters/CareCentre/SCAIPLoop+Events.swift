import RealTime

/// What the SIP library says.
extension SCAIPLoop {
    func came(_ event: SIPEvent) {
        let now = Clock.boot()
        switch event {
        case .answered(let reference, let status, let phrase, let body):
            forget(reference)
            let answer = body.isEmpty || !(200..<300).contains(status) ? nil : read(body)
            perform(
                dialogue.sipAnswered(reference, status: status, phrase: phrase, answer: answer, at: now))
        case .failed(let reference, let reason): cameNothing(reference, reason)
        case .message(let body):
            if let answer = read(body) { perform(dialogue.answered(answer, at: now)) }
        case .registered: onNote(.registered)
        case .registrationFailed(let reason): onNote(.registrationFailed(reason: reason))
        }
        // Deadlines have moved; not from within libre's callback, which may hold what a new way would free.
        mailbox.wakeup.signal()
    }

    private func read(_ body: [UInt8]) -> SCAIPResponse? {
        do throws(SCAIPResponseReader.Failure) {
            return try SCAIPResponseReader.read(body)
        } catch {
            onNote(.unreadableAnswer(reason: error.words))
            return nil
        }
    }

    func cameNothing(_ reference: SCAIPReference, _ reason: String) {
        forget(reference)
        perform(dialogue.sipFailed(reference, reason, at: Clock.boot()))
    }
}
