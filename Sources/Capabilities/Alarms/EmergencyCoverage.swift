import ControlContract
package import GatewayModel
package import Hub
package import SOSLocal
package import Settings

/// Emergencies of one person that at least one of their wearables can raise, and those that none can. Pure.
///
/// `check` and `status` print it: an alarm that no worn device can raise is no promise.
package struct EmergencyCoverage {
    /// Devices that can raise one alarm.
    package struct Sources: Hashable {
        /// Devices that have shown what the alarm needs.
        package var sure: [DeviceID] = []
        /// Devices that were not connected, or not heard, until now.
        package var unknown: [DeviceID] = []

        package var isEmpty: Bool { sure.isEmpty && unknown.isEmpty }

        /// For a cell of a table: `strap`, `band (not known yet)`.
        package var words: String {
            (sure.map(\.text) + unknown.map { "\($0) (not known yet)" }).joined(separator: ", ")
        }
    }

    private let plan: SOSPlan
    private let worn: [GatewaySettings.Wearable]
    private let abilities: [DeviceID: WearableAbilities]

    /// - Parameters:
    ///   - wearables: of the whole house.
    ///   - abilities: those that are known; a device that was never connected or heard has none.
    package init(
        of plan: SOSPlan, wearables: [GatewaySettings.Wearable], abilities: [DeviceID: WearableAbilities]
    ) {
        self.plan = plan
        worn = wearables.filter { $0.person == plan.person }
        self.abilities = abilities
    }

    /// Returns the devices that can raise the alarm of a time line; nil for a drill, which a person begins.
    package func sources(of timeline: SOSPlan.Timeline) -> Sources? {
        if let rule = timeline.rule { return sources(of: [rule.kind], onlyStreams: false) }
        if let signal = WearableSignal.Kind(rawValue: timeline.name) { return sources(of: signal) }
        switch timeline.family {
        case .drill: return nil
        // The combined score needs one of its signs. Only a stream can fall silent.
        default:
            return timeline.name == AlarmCause.earlyWarningName
                ? sources(of: EarlyWarningScore.kinds, onlyStreams: false)
                : sources(of: QuantityKind.allCases, onlyStreams: true)
        }
    }

    /// Lines for people: the wearables with their abilities, then the emergencies that nothing can raise.
    package var lines: [String] {
        guard !worn.isEmpty else { return ["\(plan.person) wears nothing: no emergency can be raised"] }
        return worn.map { "\(plan.person) wears \($0.id): \(words(of: $0))" } + gaps
    }

    /// Whether the pulse is the only vital sign of an emergency that anything worn measures. Not while a wearable is yet
    /// unknown.
    var judgesPulseAlone: Bool {
        let kinds = Set(plan.rules.filter { $0.priority == .high }.map(\.kind))
        let found = kinds.map { ($0, sources(of: [$0], onlyStreams: false)) }
        return found.allSatisfy { $0.1.unknown.isEmpty }
            && found.filter { !$0.1.sure.isEmpty }.map(\.0) == [.heartRate]
    }

    // MARK: Sources

    /// Devices that measure one of `kinds`.
    private func sources(of kinds: [QuantityKind], onlyStreams: Bool) -> Sources {
        var sources = Sources()
        for wearable in worn where wearable.heardBy == .connection {
            let counting = kinds.filter { counts($0, from: wearable) }
            guard !counting.isEmpty else { continue }
            guard let known = abilities[wearable.id] else {
                sources.unknown.append(wearable.id)
                continue
            }
            let isSure = counting.contains { kind in
                // The rules take a pulse out of a single measurement only from a source that the settings name.
                let needsStream = onlyStreams || (kind == .heartRate && !wearable.sosFor.contains(kind))
                return (needsStream ? known.streams : known.kinds).contains(kind)
            }
            if isSure { sources.sure.append(wearable.id) }
        }
        return sources
    }

    /// Whether the rules get readings of a kind from a wearable.
    private func counts(_ kind: QuantityKind, from wearable: GatewaySettings.Wearable) -> Bool {
        let claimants = worn.filter { $0.sosFor.contains(kind) }
        return !wearable.off.contains(kind)
            && (claimants.isEmpty || claimants.contains { $0.id == wearable.id })
    }

    /// Devices with an event that means `signal`.
    private func sources(of signal: WearableSignal.Kind) -> Sources {
        var sources = Sources()
        for wearable in worn {
            let events = wearable.signals.meanings.filter { $0.means.signal == signal }.map(\.event)
            guard !events.isEmpty else { continue }
            let known = abilities[wearable.id]
            if let known, events.contains(where: known.shows) {
                sources.sure.append(wearable.id)
            } else if known == nil || wearable.heardBy == .advertising {
                // An advert tells only the events that happen.
                sources.unknown.append(wearable.id)
            }
        }
        return sources
    }

    // MARK: Words

    private func words(of wearable: GatewaySettings.Wearable) -> String {
        let signals = wearable.signals.meanings.map { "\($0.event) means \($0.means.rawValue)" }
        guard let known = abilities[wearable.id] else {
            let way = wearable.heardBy == .connection ? "connected" : "heard"
            return (signals + ["not known until it was \(way) once"]).joined(separator: ", ")
        }
        let kinds = known.kinds.filter { !wearable.off.contains($0) }
        let events = wearable.signals.meanings.map { event, meaning in
            guard !known.shows(event: event) else { return "\(event) means \(meaning.rawValue)" }
            return wearable.heardBy == .advertising
                ? "\(event) means \(meaning.rawValue), not known until it was heard once"
                : "it has no button that the gateway can hear, although \(event) means \(meaning.rawValue)"
        }
        return Shown.list(kinds.map(Self.title) + events, orElse: "nothing that raises an alarm")
    }

    private var gaps: [String] {
        let missing = plan.timelines.filter { sources(of: $0)?.isEmpty ?? false }
        var kinds: [QuantityKind] = []
        for kind in missing.compactMap(\.rule?.kind) where !kinds.contains(kind) { kinds.append(kind) }
        let measured = kinds.map(Self.title)
        return missing.compactMap { WearableSignal.Kind(rawValue: $0.name) }.map { signal in
            switch signal {
            case .sosButton: "nothing \(plan.person) wears has a button that calls for help"
            case .fall: "nothing \(plan.person) wears can detect a fall"
            case .shaking: "nothing \(plan.person) wears can detect shaking"
            }
        }
            + (measured.isEmpty
                ? [] : ["nothing \(plan.person) wears measures \(measured.joined(separator: ", "))"])
    }

    private static func title(_ kind: QuantityKind) -> String {
        let title = kind.coding.title
        // "RR interval" keeps its capitals.
        guard title.dropFirst().first?.isUppercase != true else { return title }
        return title.prefix(1).lowercased() + title.dropFirst()
    }
}

extension GatewaySettings.Person {
    /// The person with the plan for their wearables: where a pulse alone is judged and the settings say nothing
    /// else, help hears early that it may be needed.
    package func wearing(
        _ wearables: [GatewaySettings.Wearable], _ abilities: [DeviceID: WearableAbilities]
    ) -> GatewaySettings.Person {
        guard !decidesOnWindow,
            EmergencyCoverage(of: plan, wearables: wearables, abilities: abilities).judgesPulseAlone
        else { return self }
        return with(plan.forPulseAlone)
    }

    /// For `check` and `status`; nil where the settings decide, or more than a pulse is judged.
    package func pulseLine(
        _ wearables: [GatewaySettings.Wearable], _ abilities: [DeviceID: WearableAbilities]
    ) -> String? {
        guard wearing(wearables, abilities).plan != plan else { return nil }
        return
            "a pulse alone is judged of \(id): help hears 4.5 s after a crossing that it may be needed, and is called "
            + "after a window of 30 s; abort_window_seconds or early_notice in [person.sos] change it"
    }
}
