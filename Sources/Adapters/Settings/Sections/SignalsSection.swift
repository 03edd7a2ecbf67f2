internal import GatewayModel

/// `[wearable.signals]`: which events of a wearable call for help, or take the call back.
enum SignalsSection {
    private static func key(_ name: String, _ event: String) -> Key<WearableSignal.Kind> {
        Key(name, .choice, .optional("nothing"), "What \(event) means.")
    }

    static let button = Key<ButtonMeaning>(
        "button", .choice, .optional("nothing"),
        "What a press of its button means, of any kind that has no meaning of its own. \"cancel\" ends what is open "
            + "of its wearer.")
    static let doublePress = Key<ButtonMeaning>(
        "double_press", .choice, .optional("`button`"), "What a double press means, where adverts tell of it.")
    static let longPress = Key<ButtonMeaning>(
        "long_press", .choice, .optional("`button`"),
        "What a long press or a hold means, where adverts tell of it.")
    static let vibration = key("vibration", "vibration that it reports")
    static let motion = key("motion", "motion that it reports")
    static let moving = key("moving", "that it begins to move")

    static let section = Section(
        ["wearable", "signals"],
        "Which events of a wearable call for help, or cancel. A button on a door is none: nothing is assumed.",
        keys: [button, doublePress, longPress, vibration, motion, moving])

    static func read(_ reader: SectionReader) -> GatewaySettings.Signals {
        GatewaySettings.Signals(
            button: reader.value(button), doublePress: reader.value(doublePress),
            longPress: reader.value(longPress), vibration: reader.value(vibration),
            motion: reader.value(motion), moving: reader.value(moving))
    }
}
