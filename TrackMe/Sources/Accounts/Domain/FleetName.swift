/// Name of a fleet: the boxes that the installers of one company look after.
public struct FleetName: Hashable, Sendable, CustomStringConvertible {
    public static let length = 60
    public static let form = "1 to \(length) characters in one line, without a blank at its ends"

    public let text: String

    /// Nil for a text of another form.
    public init?(_ text: String) {
        guard (1...Self.length).contains(text.count), text.first != " ", text.last != " ",
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}
