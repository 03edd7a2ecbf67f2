/// When a position is believed, and when it is told. Every default says where it comes from.
public struct TrackRules: Hashable, Sendable {
    /// m/s; nobody runs faster (the world's best over 100 m reach 12.4 for a moment), so what is faster is a leap of
    /// the receiver, a lie or a car.
    public var fastest = 12.0
    /// A leap is believed once so many positions in a row, over so long, agree with each other.
    public var leapPositions = 4
    public var leapTime: Duration = .seconds(10)
    /// Metres, ± in 95 of 100 cases: a worse position says nothing of a runner's place on a course.
    public var worstAccuracy = 100.0
    /// Of a position whose source does not say: what receivers on a wrist reach among houses and trees.
    public var usualAccuracy = 15.0
    /// Metres. Farther from the course, and farther than twice the accuracy, is off it: the width of a road, and what
    /// a course that was drawn by hand is off by.
    public var offCourse = 40.0
    /// Older on arrival is told to nobody as where somebody is.
    public var oldest: Duration = .seconds(120)
    /// A position is told when the last one told is so far away,
    public var tellMetres = 25.0
    /// or so long ago,
    public var tellTime: Duration = .seconds(30)
    /// but never sooner than this after it.
    public var tellPause: Duration = .seconds(5)

    public init() {}
}
