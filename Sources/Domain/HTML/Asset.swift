import GatewayModel

/// File of style or script that pages name. It is served under a name that changes with its content, so that a browser may
/// keep it.
public struct Asset: Sendable {
    public enum Kind: Sendable {
        case style, script

        public var mediaType: String {
            switch self {
            case .style: "text/css; charset=utf-8"
            case .script: "text/javascript; charset=utf-8"
            }
        }

        var ending: StaticString {
            switch self {
            case .style: ".css"
            case .script: ".js"
            }
        }
    }

    public let kind: Kind
    public let place: HTML.Place
    public let bytes: [UInt8]

    /// - Parameter files: contents, which the asset has one after another.
    public init(_ kind: Kind, _ name: String, in folder: HTML.Place, _ files: [UInt8]...) {
        let bytes = Array(files.map(Self.compact).joined())
        (self.kind, self.bytes) = (kind, bytes)
        place = folder.appending("\(name)-\(String(FNVHash(of: bytes).value, radix: 16))").adding(kind.ending)
    }

    /// The lines of a file without their indentation, and without lines that are empty or a comment. They are for the readers of
    /// the source, and a page with its files has a bound in bytes.
    private static func compact(_ file: [UInt8]) -> [UInt8] {
        let text = String(decoding: file, as: UTF8.self)
        return text.split(separator: "\n").reduce(into: []) { bytes, line in
            let line = line.drop { $0 == " " }
            let isComment = line.hasPrefix("//") || (line.hasPrefix("/*") && line.hasSuffix("*/"))
            guard !line.isEmpty, !isComment else { return }
            bytes += line.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}
