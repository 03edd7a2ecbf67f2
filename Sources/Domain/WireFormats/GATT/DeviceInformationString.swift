/// A text of the Device Information Service: 0x2A24...0x2A29 (Device Information Service 1.1, section 3).
public struct DeviceInformationString: Hashable, Sendable {
    /// Printable: the texts go to logs and screens, and a device chooses them freely. May be empty.
    public let text: String

    /// The longest value of an attribute (Core 5.4, Vol 3, Part F, 3.2.9).
    static let longest = 512

    /// Takes all bytes. Errors: `.notUTF8`, and `.outOfRange` for more than an attribute can hold.
    public init(from reader: inout ByteReader, field: String = "device information") throws(DecodeError) {
        guard reader.left <= Self.longest else { throw .outOfRange(field: field) }
        // Not every device sends a terminator, some send several or what lay behind it in their memory.
        let bytes = reader.rest().drop { $0 == 0 }.prefix { $0 != 0 }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(field: field) }
        var scalars = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        self.text = String(String.UnicodeScalarView(scalars))
    }
}
