package import GatewayModel

/// The last entries of one source, as marks of 64 bits: one that comes again is not handed over again.
package struct RecentEntries: Sendable {
    /// As many as of a wearable's records.
    package static let most = 2_000

    /// The oldest first.
    package private(set) var marks: [UInt64]
    private var known: Set<UInt64>

    /// - Parameter marks: the oldest first.
    package init(_ marks: [UInt64]) {
        self.marks = Array(marks.suffix(Self.most))
        known = Set(self.marks)
    }

    /// - Returns: whether it is new.
    package mutating func insert(_ id: MessageID) -> Bool {
        var numbers = DerivedNumbers(of: id.description)
        let mark = numbers.next()
        guard known.insert(mark).inserted else { return false }
        marks.append(mark)
        if marks.count > Self.most { known.remove(marks.removeFirst()) }
        return true
    }
}
