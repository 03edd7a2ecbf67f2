internal import GatewayModel

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
    // What espeak-ng takes.
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

    static let section = Section(
        ["house"],
        "What the house is like for those who live in it, and how it is told of an alarm besides the console.",
        keys: [
            wakingHours, sound, soundDevice, wavDirectory, voice, voiceSpeed, language, loudnessStart,
            loudnessMax,
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
        guard let wakingHours, let sound, let hasVoice, let speed, let language, let loudness else {
            return nil
        }
        return GatewaySettings.House(
            wakingHours: wakingHours, sound: sound, voiceSpeed: hasVoice ? speed : nil, loudness: loudness,
            language: language,
            lamp: lamp, button: button)
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
