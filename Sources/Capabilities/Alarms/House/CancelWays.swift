package import GatewayModel
import HouseAlarm
package import Hub
package import Phrases
import SOSLocal
package import Settings

/// The ways in which an alarm of one person can be cancelled in the house. Pure.
///
/// `check` prints them, the running gateway keeps a condition while there is none, and the voice names the first.
package struct CancelWays {
    package enum Way: Hashable {
        case boxButton
        /// By these events of its `[wearable.signals]`.
        case wearable(DeviceID, events: [String])
        case commandLine
    }

    /// A window that is long enough to get to a screen or a terminal and to type a command, in seconds.
    private static let screenWindow = Duration.seconds(30)

    package let ways: [Way]
    /// Wearables whose signals mean "cancel", while `may_end` does not let them.
    private let powerless: [DeviceID]
    /// A worn button that calls for help.
    private let hasWornSOSButton: Bool
    private let person: GatewaySettings.Person

    /// - Parameters:
    ///   - wearables: of the whole house.
    ///   - caller: device that has called for help by itself, and cancels nothing for now.
    package init(
        of person: GatewaySettings.Person, wearables: [GatewaySettings.Wearable],
        button: GatewaySettings.House.Button?, calledBy caller: DeviceID? = nil
    ) {
        let allowed = person.plan.mayEnd
        let worn = wearables.filter { $0.person == person.id }
        let cancelling = worn.filter { !$0.signals.cancels.isEmpty && $0.id != caller }
        var ways: [Way] = allowed.contains(.commandLine) ? [.commandLine] : []
        if button != nil, caller != .houseButton, allowed.contains(.button) { ways.append(.boxButton) }
        if allowed.contains(.wearable) {
            ways += cancelling.map { .wearable($0.id, events: $0.signals.cancels) }
        }
        self.ways = ways
        self.person = person
        powerless = allowed.contains(.wearable) ? [] : cancelling.map(\.id)
        hasWornSOSButton = worn.contains { wearable in
            wearable.signals.meanings.contains { $0.means == .sosButton }
        }
    }

    /// Whether the person has no way to cancel, and the settings do not say that this is meant.
    package var isMissing: Bool { ways.isEmpty && !person.cannotCancel }

    /// For `check`.
    package var lines: [String] {
        [summary] + [limits].compactMap(\.self) + powerless.map(Self.complaint)
            + [problem, advice].compactMap(\.self)
    }

    /// A press in fear takes no call back.
    private var limits: String? {
        guard ways.contains(where: { $0 != .commandLine }) else { return nil }
        return
            "a button that called for help cancels nothing for 10 s; once a call that a person asked for has arrived, "
            + "a press only tells those who have it that the person is all right: a screen, homegateway abort, or "
            + "those who have the call end it"
    }

    private var summary: String {
        guard ways.isEmpty else { return "cancelled by: " + ways.map(\.words).joined(separator: "; ") }
        return "cancelled by: nothing in the house"
            + (person.cannotCancel ? ", as cannot_cancel = true says" : "")
    }

    private static func complaint(_ wearable: DeviceID) -> String {
        "PROBLEM  \(wearable) CANNOT cancel, although its signals say so: may_end does not name \"wearable\""
    }

    private var problem: String? {
        guard isMissing else { return nil }
        return "PROBLEM  nobody in the house can cancel a false alarm. Add a button: [house.button], or "
            + "button = \"cancel\" in [wearable.signals]; name its means in may_end of [person.sos]. If this is "
            + "meant, write cannot_cancel = true in [[person]]"
    }

    private var advice: String? {
        let window = person.plan.windows[.vitalSign]
        let isLong = person.plan.hasEarlyNotice && window >= Self.screenWindow
        guard ways == [.commandLine], !isLong else { return nil }
        let seconds = Double(window.wholeMilliseconds) / 1_000
        return
            "ADVICE   the only way to cancel is a command at the gateway, and \(seconds) s are too short for "
            + "it: write early_notice = true and abort_window_seconds = 30 to 60 in [person.sos], or add a button "
            + "that cancels"
    }

    /// For the voice: the means that is nearest to the person.
    package var means: CancelMeans {
        let worn = ways.compactMap { way -> [String]? in
            if case .wearable(_, let events) = way { events } else { nil }
        }.flatMap(\.self)
        if ways.contains(.boxButton) { return hasWornSOSButton && worn.isEmpty ? .boxOnly : .box }
        if worn.contains("button") { return .worn }
        if worn.contains("double_press") { return .wornTwice }
        if worn.contains("long_press") { return .wornLong }
        return ways.contains(.commandLine) ? .gateway : .nothing
    }
}

extension CancelWays.Way {
    fileprivate var words: String {
        switch self {
        case .commandLine: "homegateway abort"
        case .boxButton: "the button of the box"
        case .wearable(let id, let events): "\(id) (\(events.joined(separator: ", ")))"
        }
    }
}

extension CancelWays {
    /// Returns the means that the voice names for a person, with the wearables as they are at the call.
    package static func means(
        _ settings: GatewaySettings, _ roster: DeviceRoster
    ) -> @Sendable (PersonID, _ calledBy: DeviceID?) -> CancelMeans? {
        let persons = Dictionary(settings.persons.map { ($0.id, $0) }) { first, _ in first }
        let button = settings.house.button
        return { id, caller in
            persons[id].map {
                CancelWays(of: $0, wearables: roster.wearables, button: button, calledBy: caller).means
            }
        }
    }
}
