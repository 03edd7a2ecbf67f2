/// How strongly those who pass are heard here, to tell who was far away.
struct UsualStrength: Sendable {
    private static let kept = 64
    /// Fewer say nothing yet.
    private static let needed = 10
    /// dB below the median. Lines 1 to 5 m from the box, tags that differ by ±6 dB, and a body in the way make 16 dB
    /// between the median and the weakest of hundreds that are simulated; 20 dB are seven times the distance.
    private static let far = 20

    private var latest: [Int8] = []
    private var next = 0
    /// dBm: what is weaker comes from far away. Nil as long as too few have passed.
    private(set) var weakest: Int8?

    mutating func add(_ strongest: Int8) {
        if latest.count < Self.kept {
            latest.append(strongest)
        } else {
            latest[next] = strongest
            next = (next + 1) % Self.kept
        }
        guard latest.count >= Self.needed else { return }
        weakest = Int8(clamping: Int(latest.sorted()[latest.count / 2]) - Self.far)
    }

    func isFar(_ strongest: Int8) -> Bool { weakest.map { strongest < $0 } ?? false }
}
