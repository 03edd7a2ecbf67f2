internal import GatewayModel

/// `[wearable.signals]`: which events of a wearable call for help.
enum SignalsSection {
    private static func key(_ name: String, _ event: String) -> Key<WearableSignal.Kind> {
        Key(name, .choice, .optional("nothing"), "What \(event) means.")
    }

    static let button = key("button", "a press of its button")
    static let vibration = key("vibration", "vibration that it reports")
    static let motion = key("motion", "motion that it reports")
    static let moving = key("moving", "that it begins to move")

    static let section = Section(
        ["wearable", "signals"],
        "Which events of a wearable call for help. A button on a door is none: nothing is assumed.",
        keys: [button, vibration, motion, moving])

    static func read(_ reader: SectionReader) -> GatewaySettings.Signals {
        GatewaySettings.Signals(
            button: reader.value(button), vibration: reader.value(vibration), motion: reader.value(motion),
            moving: reader.value(moving))
    }
}
