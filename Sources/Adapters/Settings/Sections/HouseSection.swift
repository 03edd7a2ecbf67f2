public import GatewayModel
import SettingsReading

/// `[house]`: how the house is told of an alarm.
enum HouseSection {
    static let sound = Key("sound", .truth, .standard(true), "Whether alarms sound.")
    static let soundDevice = Key(
        "sound_device", .text(1...128), .standard("default"),
        "The sound card by the name of its PCM in ALSA, such as \"plughw:1,0\"; `aplay -L` lists them.")
    static let wavDirectory = Key(
        "wav_directory", .directoryPath, .optional("the sound card is used"),
        "Sound goes into files here instead: for a house without a sound card. The systemd "
            + "unit may write below /var/lib/homegateway alone, as with `state_directory`.")
    static let voice = Key(
        "voice", .truth, .standard(true), "Whether words are spoken between the tones. Needs espeak-ng.")
    // Range of espeak-ng.
    static let voiceSpeed = Key(
        "voice_speed", .wholeNumber(80...450), .standard(140), "Words a minute; espeak-ng's own is 175.")
    static let language = Key<PersonProfile.Language>(
        "language", .choice, .standard("en"), "For what is said of nobody in particular.")
    static let loudnessStart = Key(
        "loudness_start", .number(0.01...1), .standard(.float(0.25)),
        "How loud an alarm begins; 1 is as loud as the card goes. It rises with each repetition.")
    static let loudnessMax = Key(
        "loudness_max", .number(0.1...1), .standard(.float(1)), "How loud it becomes.")

    static let wakingHours = Key(
        "waking_hours", .hours, .standard("07:00-22:00"),
        "When what can wait is said aloud, local time. An alarm never waits.")

    static let screen = Key(
        "screen", .truth, .standard(false),
        "Says that a paired screen of the room stands where the persons can reach it: it cancels an alarm, as a button does."
    )

    static let section = Section(
        ["house"],
        "What the house is like for those who live in it, and how it is told of an alarm besides the console.",
        keys: [
            wakingHours, sound, soundDevice, wavDirectory, voice, voiceSpeed, language, loudnessStart,
            loudnessMax, screen,
        ],
        children: [HouseLineSection.lamp, HouseLineSection.button],
        // Contradicting values are all dropped: the default sounds.
        costs: [
            sound.name: .keys(sound.name, soundDevice.name, wavDirectory.name),
            soundDevice.name: .keys(sound.name, soundDevice.name, wavDirectory.name),
            wavDirectory.name: .keys(sound.name, soundDevice.name, wavDirectory.name),
            loudnessStart.name: .keys(loudnessStart.name, loudnessMax.name),
        ])

    static func read(_ reader: SectionReader, persons: [PersonSection.Entry]) -> GatewaySettings.House? {
        let wakingHours = reader.value(wakingHours)
        let sound = sound(reader)
        let hasVoice = reader.value(voice)
        let speed = reader.value(voiceSpeed)
        let language = reader.value(language)
        let loudness = loudness(reader)
        let lamp = HouseLineSection.read(reader.child(HouseLineSection.lamp))
        let button = HouseLineSection.readButton(reader.child(HouseLineSection.button), persons)
        let hasScreen = reader.value(screen)
        guard let wakingHours, let sound, let hasVoice, let speed, let language, let loudness, let hasScreen
        else {
            return nil
        }
        return GatewaySettings.House(
            wakingHours: wakingHours, sound: sound, voiceSpeed: hasVoice ? speed : nil, loudness: loudness,
            language: language,
            lamp: lamp, button: button, hasScreen: hasScreen)
    }

    private static func sound(_ reader: SectionReader) -> GatewaySettings.House.Sound? {
        let device = reader.value(soundDevice)
        let directory = reader.value(wavDirectory)
        guard let isOn = reader.value(sound) else { return nil }
        guard isOn else {
            for key in [soundDevice, wavDirectory] where reader.isWritten(key) {
                reader.report("saw it with sound = false: remove one of the two", key.name)
            }
            return .off
        }
        guard reader.isWritten(wavDirectory) else { return device.map { .device($0) } }
        if reader.isWritten(soundDevice) {
            reader.report(
                "saw it together with wav_directory, expected one of the two: remove one", soundDevice.name)
        }
        return directory.map { .files(directory: $0) }
    }

    private static func loudness(_ reader: SectionReader) -> ClosedRange<Double>? {
        guard let start = reader.value(loudnessStart), let end = reader.value(loudnessMax) else { return nil }
        guard start <= end else {
            reader.report("saw \(start), expected no more than loudness_max, \(end)", loudnessStart.name)
            return nil
        }
        return start...end
    }
}

/// `[house.lamp]` and `[house.button]`: one line of a GPIO chip each.
enum HouseLineSection {
    static let chip = Key(
        "chip",
        Form<String>.text("a GPIO chip such as \"gpiochip0\"") { text in
            let isSound =
                (1...200).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.contains("..")
            return isSound ? .accepted(text) : .refused("gpiodetect lists those that there are")
        }, .standard("gpiochip0"), "Its name under /dev, or its path.")
    static let line = Key(
        "line", .wholeNumber(0...1023), .required,
        "Its offset on the chip: on a Raspberry Pi the number after GPIO, not that of the pin.")
    static let lampActiveLow = Key(
        "active_low", .truth, .standard(false), "Whether it shines at the low level.")
    static let buttonActiveLow = Key(
        "active_low", .truth, .standard(true),
        "Whether it is pressed at the low level, as between line and ground.")
    static let person = Key<PersonID>(
        "person", .name, .optional("the only one"), "The `id` of the person for whom a hold of 3 s calls help.")

    static let lamp = Section(
        ["house", "lamp"], "A lamp that shows an alarm.", keys: [chip, line, lampActiveLow],
        cost: .entry)
    static let button = Section(
        ["house", "button"],
        "The big button of the box: a press cancels the open alarm; a hold while there is none calls for help.",
        keys: [chip, line, buttonActiveLow, person], cost: .entry)

    /// Nil where there is none, and where it is wrong.
    static func read(
        _ reader: SectionReader, activeLow: Key<Bool> = lampActiveLow
    ) -> GatewaySettings.House.Line? {
        let chip = reader.value(chip)
        let line = reader.value(line)
        let isActiveLow = reader.value(activeLow)
        guard reader.table != nil, let chip, let line, let isActiveLow else { return nil }
        return GatewaySettings.House.Line(chip: chip, offset: line, isActiveLow: isActiveLow)
    }

    static func readButton(
        _ reader: SectionReader, _ persons: [PersonSection.Entry]
    ) -> GatewaySettings.House.Button? {
        let line = read(reader, activeLow: buttonActiveLow)
        let written = reader.value(person)
        guard reader.table != nil else { return nil }
        let known = persons.compactMap(\.id)
        // Not while any person's id is itself wrong: that may be the one meant.
        guard known.count == persons.count else { return nil }
        if let written, !known.contains(written) {
            reader.report(
                "saw \"\(written)\", expected the id of a [[person]]"
                    + "\(NearestName.hint(written.text, among: known.map(\.text))): correct it", person.name)
        }
        if !reader.isWritten(person), known.count > 1 {
            reader.report("is missing: there are several persons; say for whom a hold calls help", person.name)
        }
        guard let line, let person = written ?? known.first else { return nil }
        return GatewaySettings.House.Button(line: line, person: person)
    }
}

extension GatewaySettings {
    /// The house and its inhabitants, and the outputs of an alarm besides the console.
    public struct House: Hashable, Sendable {
        public let wakingHours: WakingHours
        public let sound: Sound
        /// Nil for tones without words.
        public let voiceSpeed: Int?
        /// Amplitudes of the loudest sample, 0 to 1.
        public let loudness: ClosedRange<Double>
        /// For sentences about no particular person.
        public let language: PersonProfile.Language
        public let lamp: Line?
        public let button: Button?
        /// Declared: a paired screen of the room is within reach of the persons.
        public let hasScreen: Bool

        public enum Sound: Hashable, Sendable {
            case off
            /// A PCM of ALSA by its name.
            case device(String)
            /// WAV files into a directory, absolute.
            case files(directory: String)
        }

        /// One line of a GPIO chip.
        public struct Line: Hashable, Sendable {
            /// Absolute, or a name under /dev.
            public let chip: String
            public let offset: Int
            public let isActiveLow: Bool
        }

        public struct Button: Hashable, Sendable {
            public let line: Line
            /// Person for which a hold calls help: one of the house.
            public let person: PersonID
        }
    }
}

extension GatewaySettings.House {
    func with(_ hours: GatewaySettings.WakingHours) -> GatewaySettings.House {
        GatewaySettings.House(
            wakingHours: hours, sound: sound, voiceSpeed: voiceSpeed, loudness: loudness,
            language: language,
            lamp: lamp, button: button, hasScreen: hasScreen)
    }
}
