import Audio
public import GatewayModel

/// The outputs and inputs of the alarm in one house.
public struct HouseAlarmSettings: Hashable, Sendable {
    public enum Sound: Hashable, Sendable {
        case off
        /// A PCM of ALSA by its name: `default`, `plughw:1,0`.
        case device(String)
        /// Files into a directory: for a house without a sound card.
        case files(directory: String)
    }

    public struct Voice: Hashable, Sendable {
        /// A name on the PATH, or a path.
        public let program: String
        /// Words per minute; held within the range of espeak-ng, 80 to 450. Slower than its own 175: aged ears,
        /// and an alarm.
        public let speed: Int

        public init(program: String = "espeak-ng", speed: Int) {
            self.program = program
            self.speed = speed
        }
    }

    public struct Button: Hashable, Sendable {
        public let line: GPIOLine
        public let pull: LinePull
        /// 20 ms: buttons bounce for some milliseconds, and a finger is slower.
        public let debounce: Duration
        /// 3 s: longer than leaning against it.
        public let hold: Duration

        /// - Parameter pull: nil for towards the level of a button that is not pressed.
        public init(
            line: GPIOLine, pull: LinePull? = nil, debounce: Duration = .milliseconds(20),
            hold: Duration = .seconds(3)
        ) {
            self.line = line
            self.pull = pull ?? (line.isActiveLow ? .up : .down)
            self.debounce = debounce
            self.hold = hold
        }
    }

    public let sound: Sound
    public let loudness: Loudness
    /// Nil for tones without words.
    public let voice: Voice?
    /// For sentences about a person without a known language.
    public let language: PersonProfile.Language
    public let lamp: GPIOLine?
    public let button: Button?

    public init(
        sound: Sound, loudness: Loudness, voice: Voice?, language: PersonProfile.Language, lamp: GPIOLine?,
        button: Button?
    ) {
        self.sound = sound
        self.loudness = loudness
        self.voice = voice
        self.language = language
        self.lamp = lamp
        self.button = button
    }
}
