public import GatewayModel

extension GatewaySettings {
    /// What the house is like for those who live in it, and how it is told of an alarm besides the console.
    public struct House: Hashable, Sendable {
        public let wakingHours: WakingHours
        public let sound: Sound
        /// Nil for tones without words.
        public let voiceSpeed: Int?
        /// Amplitudes of the loudest sample, 0 to 1.
        public let loudness: ClosedRange<Double>
        /// For what is said of nobody in particular.
        public let language: PersonProfile.Language
        public let lamp: Line?
        public let button: Button?

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
            /// For whom a hold calls help: one of the house.
            public let person: PersonID
        }
    }
}
