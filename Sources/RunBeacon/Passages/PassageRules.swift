/// When a passage begins and ends. Every default says where it comes from.
public struct PassageRules: Hashable, Sendable {
    /// dBm: weaker hits open no passage, unless all are heard weakly here. -90 is some 50 m in the open, the edge of what
    /// a radio of this kind hears.
    public var opensAt: Int8 = -90
    /// A tag that has not been heard for so long has gone. From far off only now and then one is heard: a shorter
    /// silence makes two passages of one.
    public var silence: Duration = .seconds(8)
    /// The same of a tag of which no hit would have opened a passage: most often it is still on its way, 60 m at 2.2 m/s.
    public var farSilence: Duration = .seconds(25)
    /// A passage is over when the signal has stayed this much below its peak for `reaction`. 9 dB are three times
    /// the distance at the exponent 2.
    public var fall: Double = 9
    /// It is what a time is late by. Shorter, and a body in the way for a moment ends a passage before its peak.
    /// (RACE RESULT decoders wait 0.85 s after the last peak, over a mat of 1 m; a radio hears 100 m wide.)
    public var reaction: Duration = .seconds(6)
    /// Not reported again before, unless as strong as the first time. The way back past the box on a loop takes
    /// longer, and what a runner who goes away is heard with now and then is weaker.
    public var deadTime: Duration = .seconds(30)
    /// Whoever is in range for so long may be standing: 45 m on each side of the box, at 2.2 m/s.
    public var long: Duration = .seconds(40)
    /// What ends the passage of those, in place of `fall`: in a crowd the signal of somebody who stands strays by 9 dB
    /// within minutes.
    public var longFall: Double = 15
    /// How far the signal of somebody who was told to stay has to rise to be a passage: they went away, and come back.
    public var rise: Double = 12
    /// Nobody takes so long to pass: 130 m, the range of a strong tag on an open road, at 1.1 m/s.
    public var longest: Duration = .seconds(120)

    public init() {}
}
