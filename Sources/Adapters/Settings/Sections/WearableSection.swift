internal import GatewayModel

/// `[[wearable]]`: which device is worn by whom, and what of it counts. Its keys; see
/// `WearableSection+Read` for their rules.
enum WearableSection {
    static let id = Key<DeviceID>("id", .name, .required, "The wearable's name in topics and messages.")
    static let address = Key(
        "address", .deviceAddress, .required, "Its Bluetooth address; each wearable has its own.")
    static let person = Key<PersonID>("person", .name, .required, "The `id` of the person who wears it.")
    static let heardBy = Key<GatewaySettings.Hearing>(
        "heard_by", .choice, .standard(.string(GatewaySettings.Hearing.connection.rawValue)),
        "Whether it is connected to, or only its adverts are listened to: BTHome buttons and sensors. Nothing "
            + "ever connects to one that is heard by advertising, and it gives no readings.")
    static let off = Key<Set<QuantityKind>>(
        "off", .choices(), .optional("none is off"),
        "Kinds of reading that are dropped as they arrive: neither judged nor kept nor sent.")
    static let sosFor = Key<Set<QuantityKind>>(
        "sos_for", .choices(), .optional("every wearable counts"),
        "Kinds of reading for which only this wearable of the person goes to the SOS rules. The same kind "
            + "from their others is kept and sent, and raises no alarm.")
    static let keyFile = Key(
        "key_file", .filePath(), .optional("its adverts are in the clear"),
        "A file with the BTHome key of its encrypted adverts, 32 hexadecimal digits and nothing else, readable by "
            + "the gateway alone. Only of one that is heard by advertising; adverts in the clear are then refused."
    )
    // From what a sensor sends once a second to a scale that is used once a day.
    static let silence = Key(
        "silence_seconds", .wholeSeconds(2...86_400), .optional("what suits its kind"),
        "After so long without a word from it, it counts as silent; one that is heard by advertising, as out "
            + "of reach.")
    static let sleeps = Key(
        "sleeps", .truth, .optional("what suits its kind"),
        "It speaks only when it is used, as cuffs and scales do: neither its silence nor its absence is a "
            + "condition then. Known of the standard kinds; not beside `silence_seconds`.")
    static let linkLossAlert = Key<GatewaySettings.AlertLevel>(
        "link_loss_alert", .choice, .optional("its own way"),
        "What it does by itself when it loses the gateway, where it has the Link Loss service.")
    static let alarmAlert = Key<GatewaySettings.AlertLevel>(
        "alarm_alert", .choice, .standard(.string("high")),
        "How strongly it buzzes or flashes while its person has an alarm, where it has the Immediate Alert "
            + "service.")

    static let section = Section(
        ["wearable"], repeats: true,
        "Which device is worn by whom, and what of it counts. `homegateway devices` writes the same sections "
            + "into `devices.toml` in the state directory; ids and addresses differ over both files.",
        keys: [
            id, address, person, heardBy, off, sosFor, keyFile, silence, sleeps, linkLossAlert, alarmAlert,
        ],
        refused: [
            "key": "a key is never written in the settings, which are copied and shown: put it into a file "
                + "that only the gateway can read and give its path as key_file"
        ],
        children: [SignalsSection.section],
        // A misspelt key may be its key file, without which a stranger could press its button.
        cost: .entry,
        costs: [
            sosFor.name: .key, silence.name: .key, sleeps.name: .key, linkLossAlert.name: .key,
            alarmAlert.name: .key,
        ])
}
