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
        /// The paired screen of the room, which the settings declare.
        case screen
        /// By these events of its `[wearable.signals]`.
        case wearable(DeviceID, events: [String])
        case commandLine
    }

    /// A window that is long enough to get to a terminal and to type a command.
    private static let commandWindow = Duration.seconds(30)

    package let ways: [Way]
    /// Wearables whose signals mean "cancel", while `may_end` does not let them.
    private let powerless: [DeviceID]
    /// Whether the settings declare a screen, while `may_end` does not let it cancel.
    private let isScreenPowerless: Bool
    /// A worn button that calls for help.
    private let hasWornSOSButton: Bool
    private let person: GatewaySettings.Person

    /// - Parameters:
    ///   - wearables: of the whole house.
    ///   - caller: device that has called for help by itself, and cancels nothing for now.
    package init(
        of person: GatewaySettings.Person, wearables: [GatewaySettings.Wearable],
        house: GatewaySettings.House, calledBy caller: DeviceID? = nil
    ) {
        let allowed = person.plan.mayEnd
        let worn = wearables.filter { $0.person == person.id }
        let cancelling = worn.filter { !$0.signals.cancels.isEmpty && $0.id != caller }
        var ways: [Way] = allowed.contains(.commandLine) ? [.commandLine] : []
        if house.button != nil, caller != .houseButton, allowed.contains(.button) { ways.append(.boxButton) }
        if house.hasScreen, allowed.contains(.screen) { ways.append(.screen) }
        if allowed.contains(.wearable) {
            ways += cancelling.map { .wearable($0.id, events: $0.signals.cancels) }
        }
        self.ways = ways
        self.person = person
        isScreenPowerless = house.hasScreen && !allowed.contains(.screen)
        powerless = allowed.contains(.wearable) ? [] : cancelling.map(\.id)
        hasWornSOSButton = worn.contains { wearable in
            wearable.signals.meanings.contains { $0.means == .sosButton }
        }
    }

    /// Whether the person has no way to cancel, and the settings do not say that this is meant.
    package var isMissing: Bool { ways.isEmpty && !person.cannotCancel }

    /// Whether no button and no screen cancels, and the settings do not say that this is meant. A command at the
    /// gateway is nothing that an old person gets to within a window.
    package var areOutOfReach: Bool { ways.allSatisfy { $0 == .commandLine } && !person.cannotCancel }

    /// For `check`.
    package var lines: [String] {
        [summary] + [limits].compactMap(\.self)
            + (isScreenPowerless ? [Self.complaint("the screen", "\"screen\"")] : [])
            + powerless.map { Self.complaint($0.text, "\"wearable\"") } + [problem].compactMap(\.self)
    }

    /// A press in fear takes no call back.
    private var limits: String? {
        guard ways.contains(where: { $0 != .commandLine && $0 != .screen }) else { return nil }
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

    private static func complaint(_ part: String, _ means: String) -> String {
        "PROBLEM  \(part) CANNOT cancel, although the settings say so: may_end does not name \(means)"
    }

    private var problem: String? {
        guard areOutOfReach else { return nil }
        let seen =
            ways.isEmpty
            ? "nobody in the house can cancel a false alarm"
            : "nothing within reach of \(person.id) cancels a false alarm: it takes a command at the gateway\(delay)"
        return
            "PROBLEM  \(seen). Add a button: [house.button], or button = \"cancel\" in [wearable.signals]; or pair a "
            + "screen of the room where it can be reached, and write screen = true in [house]; its means has to "
            + "stand in may_end of [person.sos]. If this is meant, write cannot_cancel = true in [[person]]"
    }

    private var delay: String {
        let window = person.plan.windows[.vitalSign]
        let isLong = person.plan.hasEarlyNotice && window >= Self.commandWindow
        return isLong ? "" : ", and \(Double(window.wholeMilliseconds) / 1_000) s are too short for it"
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
        if ways.contains(.screen) { return .screen }
        return ways.contains(.commandLine) ? .gateway : .nothing
    }
}

extension CancelWays.Way {
    fileprivate var words: String {
        switch self {
        case .commandLine: "homegateway abort"
        case .boxButton: "the button of the box"
        case .screen: "the screen of the room"
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
        let house = settings.house
        return { id, caller in
            persons[id].map {
                CancelWays(of: $0, wearables: roster.wearables, house: house, calledBy: caller).means
            }
        }
    }
}
