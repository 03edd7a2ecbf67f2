import GatewayModel
import RunBeacon

/// Correction of a run as JSON at the control socket.
struct CorrectionRecord: Codable, Hashable, Sendable {
    /// `add`, `strike`, `dns`, `dnf`, `dsq` or `undo`.
    var act: String?
    var checkpoint: String?
    var order: Int?
    /// Milliseconds since 1970, and milliseconds.
    var time, boundMs: Int64?
    var passing: String?
    /// Number of another correction.
    var number: Int?

    init(_ act: RaceCorrection.Act) {
        switch act {
        case .add(let checkpoint, let order, let time, let bound):
            (self.act, self.checkpoint, self.order) = ("add", checkpoint.text, order)
            (self.time, boundMs) = (time.millisecondsSince1970, bound)
        case .strike(let id): (self.act, passing) = ("strike", id.description)
        case .mark(let mark): self.act = mark.rawValue
        case .undo(let number): (self.act, self.number) = ("undo", number)
        }
    }

    var correction: RaceCorrection.Act {
        get throws(ControlError) {
            switch act {
            case "add":
                let bound = boundMs ?? RaceCorrection.usualBound
                guard RaceCorrection.bounds.contains(bound) else { throw Self.bound.wrong(bound) }
                guard (1...10_000).contains(order ?? 1) else { throw Self.order.wrong(order ?? 0) }
                return .add(
                    try Self.checkpoint.id(checkpoint), order: order ?? 1,
                    time: WallTime(
                        millisecondsSince1970: try Self.time.number(time, in: ControlField.times)), bound: bound
                )
            case "strike": return .strike(try Self.passing.value(passing) { MessageID($0) })
            case "undo": return .undo(try Self.number.number(number, in: Self.numbers))
            default: return .mark(try Self.act.value(act) { RaceCorrection.Mark(rawValue: $0) })
            }
        }
    }

    private static let act = ControlField(
        "act",
        expected: "add, strike, undo or one of "
            + RaceCorrection.Mark.allCases.map(\.rawValue).joined(separator: ", "),
        remedy: "see: homegateway race correct --help")
    private static let checkpoint = ControlField(
        "checkpoint", expected: CheckpointID.form, remedy: "see: homegateway runs show")
    private static let order = ControlField(
        "order", expected: "1 to 10000", remedy: "count the passings of the checkpoint from 1")
    private static let time = ControlField(
        "time", expected: "milliseconds since 1970, of the years 1 to 9999", remedy: "give the time with --time"
    )
    private static let bound = ControlField(
        "bound_ms",
        expected: "\(RaceCorrection.bounds.lowerBound) to \(RaceCorrection.bounds.upperBound) milliseconds",
        remedy: "say how well the time is known")
    private static let passing = ControlField(
        "passing", expected: "the id of a passing", remedy: "see: homegateway standings --json")
    private static let numbers = 1...1_000_000_000
    private static let number = ControlField(
        "number", expected: "the number of a correction, 1 to \(numbers.upperBound)",
        remedy: "see: homegateway race corrections")
}
