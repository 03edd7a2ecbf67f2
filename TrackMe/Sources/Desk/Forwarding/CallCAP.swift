import CAP
import ContractReading
import GatewayModel
import HelpLine
import SOSLocal

/// Writes the calls of the desk as CAP 1.2.
struct CallCAP: Sendable {
    /// 64 KiB, as `docs/channels/https.md` promises to a service.
    private static let largest = 65_535
    /// Contacts and notes; of a call that would be larger than that, without its trend.
    private static let (mostEntries, mostOfLargest) = (50, 5)

    let caller: Caller
    /// Name of the operator of the desk.
    let operatorName: String
    let language: PersonProfile.Language

    private var words: CallWords { CallWords(language) }

    /// Identifier that all messages of a call share.
    static func incident(of call: CallID) -> String { "\(call.gateway.text).\(call.alarm)" }

    /// Key under which each attempt of a message is sent.
    static func key(of message: CallForwarding.Message, in call: CallID) -> String {
        "\(incident(of: call)).\(message.number)"
    }

    /// The first case has the identifier of the call. A case that is opened after it was closed has one of its own.
    private static func identifier(_ number: Int, of call: CallID) -> String {
        number == 1 ? incident(of: call) : "\(incident(of: call)).\(number)"
    }

    func document(_ message: CallForwarding.Message, of call: EmergencyCall) -> [UInt8] {
        let whole = xml(message, of: call, isShort: false)
        return whole.count <= Self.largest ? whole : xml(message, of: call, isShort: true)
    }

    private func xml(_ message: CallForwarding.Message, of call: EmergencyCall, isShort: Bool) -> [UInt8] {
        let first = CAPMessage.Reference(
            sender: caller.sender, identifier: Self.identifier(message.first.number, of: call.id),
            sent: CAPTime.text(message.first.made))
        return CAPMessage(
            identifier: Self.identifier(message.number, of: call.id), sender: caller.sender,
            sent: CAPTime.text(message.made), status: call.isDrill ? .exercise : .actual,
            type: CAPMessage.MessageType(message.kind), source: operatorName, addresses: caller.addresses,
            note: note(call), reference: message.kind == .alert ? nil : first,
            incident: Self.incident(of: call.id),
            info: message.kind == .cancel ? cancellation(of: call) : info(call, isShort: isShort)
        ).xml
    }

    // MARK: Sentences

    private func note(_ call: EmergencyCall) -> String? {
        let drill =
            call.isDrill
            ? words.say(
                en: "Drill. Nobody is in danger; send nobody.",
                it: "Esercitazione. Nessuno è in pericolo; non inviare nessuno.") : nil
        let lines = [drill, desk(call), house(call)].compactMap { $0 }
        return lines.isEmpty ? nil : lines.joined(separator: " ")
    }

    private func desk(_ call: EmergencyCall) -> String? {
        switch call.work {
        case .waiting: nil
        case .taken(let holder, _):
            words.say(en: "At the desk \(holder.name) has the call.", it: "Alla centrale segue \(holder.name).")
        case .closed(let closing):
            words.say(
                en: "At the desk \(closing.by.name) has closed the call (\(closing.outcome.rawValue)).",
                it: "Alla centrale \(closing.by.name) ha chiuso la chiamata (\(closing.outcome.rawValue)).")
        }
    }

    private func house(_ call: EmergencyCall) -> String? {
        guard case .over(let state, let ending) = call.house else { return nil }
        let by = ending.map { ": \($0.by)" } ?? ""
        return switch state {
        case .cancelled: words.say(en: "Cancelled in the house\(by).", it: "Annullata in casa\(by).")
        case .resolved: words.say(en: "Dealt with in the house\(by).", it: "Risolta in casa\(by).")
        case .accepted: words.say(en: "Somebody has the call\(by).", it: "Presa in carico\(by).")
        case .lapsed, .pending, .confirmed: words.say(en: "The drill is over.", it: "L'esercitazione è finita.")
        }
    }

    private func event(_ call: EmergencyCall) -> String {
        guard let rule = call.newest?.cause?.rule else {
            return words.say(en: "Call for help", it: "Richiesta di aiuto")
        }
        return CauseWords(language).title(ofRule: rule)
    }

    private func headline(_ call: EmergencyCall, isOver: Bool) -> String {
        let text = "\(event(call)): \(call.newest?.profile?.name ?? call.person.text)"
        if call.isDrill {
            return words.say(
                en: "DRILL, no emergency. \(text)", it: "ESERCITAZIONE, nessuna emergenza. \(text)")
        }
        if isOver {
            return words.say(en: "The call no longer holds. \(text)", it: "La chiamata non vale più. \(text)")
        }
        return call.isPossible
            ? words.say(
                en: "Help may be needed, the sensor may be wrong. \(text)",
                it: "Potrebbe servire aiuto, il sensore potrebbe sbagliare. \(text)")
            : words.say(en: "Help is needed. \(text)", it: "Serve aiuto. \(text)")
    }

    private func description(_ call: EmergencyCall, most: Int) -> String {
        let (newest, profile) = (call.newest, call.newest?.profile)
        var lines: [String] = []
        if let name = profile?.name {
            lines.append(
                name
                    + (profile?.birthYear.map { words.say(en: ", born \($0)", it: ", anno di nascita \($0)") }
                        ?? ""))
        }
        lines.append(event(call) + (measured(newest?.cause).map { ": \($0)" } ?? ""))
        if call.isPossible { lines.append(words.doubt(because: newest?.cause?.doubts ?? [])) }
        lines.append(words.say(en: "Where: ", it: "Dove: ") + place(newest?.location))
        if let home = profile?.address {
            lines.append(words.say(en: "Home: \(home)", it: "Abitazione: \(home)"))
        }
        if let notes = profile?.medicalNotes.prefix(most), !notes.isEmpty {
            lines.append(words.say(en: "Notes: ", it: "Note: ") + notes.joined(separator: "; "))
        }
        return lines.joined(separator: "\n")
    }

    private func measured(_ cause: EmergencyMessage.Cause?) -> String? {
        guard let cause, let value = cause.value else { return nil }
        let figures = CauseWords(language)
        var text = figures.figure(value, cause.unit, kind: cause.kind)
        if let limit = cause.limit {
            text +=
                words.say(en: ", limit ", it: ", limite ") + figures.figure(limit, cause.unit, kind: cause.kind)
        }
        if let newest = cause.newest {
            text +=
                words.say(en: ", newest ", it: ", ultimo valore ")
                + figures.figure(newest, cause.unit, kind: cause.kind)
        }
        return text
    }

    private func place(_ location: EmergencyMessage.Location?) -> String {
        guard let location else { return words.say(en: "not known", it: "non noto") }
        let source =
            switch (location.source, location.of) {
            case ("installed", _): words.say(en: "address of the box", it: "indirizzo della centralina")
            case ("fix", "wearable"):
                words.say(
                    en: "position of the person's wearable", it: "posizione del dispositivo della persona")
            case ("fix", _):
                words.say(
                    en: "position of the box, not of the person",
                    it: "posizione della centralina, non della persona")
            case (_, "wearable"):
                words.say(
                    en: "last known position of the person's wearable",
                    it: "ultima posizione nota del dispositivo della persona")
            case (_, _):
                words.say(
                    en: "last known position of the box, not of the person",
                    it: "ultima posizione nota della centralina, non della persona")
            }
        let age = location.ageSeconds?.plain.map { words.say(en: "\($0) s old", it: "di \($0) s fa") }
        let error = location.errorMetres?.wholeMetres.map {
            words.say(en: "within \($0) m", it: "entro \($0) m")
        }
        return [source, location.address, age, error].compactMap { $0 }.joined(separator: ", ")
    }

    // MARK: Info

    private func info(_ call: EmergencyCall, isShort: Bool) -> CAPInfo {
        let newest = call.newest
        let most = isShort ? Self.mostOfLargest : Self.mostEntries
        let contacts = newest?.profile?.contacts.prefix(most).map(\.line) ?? []
        return CAPInfo(
            language: language.rawValue, category: newest?.cause?.rule == "fall" ? .rescue : .health,
            event: event(call), response: .execute, urgency: .immediate, severity: .extreme,
            certainty: call.isPossible ? .possible : .observed,
            onset: CAPTime.text(newest?.crossing ?? newest?.time ?? call.since),
            senderName: operatorName, headline: headline(call, isOver: false),
            description: description(call, most: most),
            instruction: call.isDrill
                ? words.say(
                    en: "Answer as in an emergency, and send nobody.",
                    it: "Rispondere come in emergenza, senza inviare nessuno.")
                : words.say(
                    en: "Send help to the place given and call the contacts. Tell who takes the call.",
                    it:
                        "Inviare aiuto nel luogo indicato e chiamare i contatti. Comunicare chi prende la chiamata."
                ),
            contact: contacts.isEmpty ? nil : contacts.joined(separator: "; "),
            parameters: CallParameters(call, most: most, hasTrend: !isShort).list, area: area(newest?.location))
    }

    /// Without data about the person besides the name.
    private func cancellation(of call: EmergencyCall) -> CAPInfo {
        let isFalse = if case .over(.cancelled, _) = call.house { true } else { false }
        return CAPInfo(
            language: language.rawValue,
            category: call.newest?.cause?.rule == "fall" ? .rescue : .health, event: event(call),
            response: .allClear, urgency: .past, severity: .unknown,
            certainty: isFalse ? .unlikely : .observed,
            onset: CAPTime.text(call.newest?.crossing ?? call.newest?.time ?? call.since),
            senderName: operatorName, headline: headline(call, isOver: true),
            description: note(call) ?? headline(call, isOver: true),
            parameters: CallParameters(ending: call).list)
    }

    private func area(_ location: EmergencyMessage.Location?) -> CAPInfo.Area? {
        guard let location else { return nil }
        var point: Coordinates?
        if let latitude = location.latitude, let longitude = location.longitude {
            point = Coordinates(latitude: latitude, longitude: longitude)
        }
        return CAPInfo.Area(place(location), at: point, errorMetres: location.errorMetres)
    }
}

extension CAPMessage.MessageType {
    init(_ kind: CallForwarding.Kind) {
        self =
            switch kind {
            case .alert: .alert
            case .update: .update
            case .cancel: .cancel
            }
    }
}
