import Contract
package import GatewayModel
package import RunBeacon

/// Position of a runner, for the command line.
package struct PositionRow: DocumentRow, Hashable {
    package static var field: ControlFields.Name { "positions" }

    package var run: String
    package var bib: Int
    /// Metres from the start; nil without a course, or off it.
    package var distance: Int?
    /// Seconds per kilometre.
    package var perKilometre: Int?
    package var next: String?
    /// Expected time at the next checkpoint (RFC 3339), and its error bound in seconds.
    package var expected: String?
    package var bound: Int64?
    /// Seconds since the measurement.
    package var age: Int64
    package var flags: [String]

    package init(_ position: RunnerPosition, of owner: Enrolment, at now: BootInstant) {
        (run, bib) = (owner.run.text, owner.bib.number)
        distance = position.distance.map { Int($0.rounded()) }
        perKilometre = position.secondsPerKilometre.map { Int($0.rounded()) }
        next = position.next?.checkpoint.text
        expected = position.next?.time.rfc3339
        bound = position.next.map { ($0.bound.boundMilliseconds + 999) / 1_000 }
        age = max(0, position.measured.boot.duration(to: now).wholeMilliseconds / 1_000)
        flags = position.flags.map(\.rawValue).sorted()
    }

    /// Copy without the age, for comparison.
    package var ageless: PositionRow {
        var row = self
        row.age = 0
        return row
    }
}
