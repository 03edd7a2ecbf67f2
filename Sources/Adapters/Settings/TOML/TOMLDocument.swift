import CToml

/// A TOML file as a tree that knows where everything is written.
struct TOMLDocument: Sendable {
    let root: TOMLTable

    /// Never traps, whatever the bytes are.
    init(parsing bytes: [UInt8]) throws(TOMLSyntaxError) {
        try TOMLDocument.checkDots(bytes)
        let builder = TOMLTreeBuilder()
        var failure = ctoml_error()
        let isSound = bytes.withUnsafeBytes { raw in
            // An empty array has no address to give; the parser wants one.
            withUnsafePointer(to: CChar(0)) { nothing in
                let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nothing
                let context = Unmanaged.passUnretained(builder).toOpaque()
                return ctoml_parse(start, raw.count, context, visit, &failure)
            }
        }
        guard isSound, let root = builder.root else { throw TOMLSyntaxError(failure) }
        self.root = root
    }

    /// Every dot outside of quotes may open one more table within the last, and the parser, the walk
    /// and their release call themselves once a level. So many dots in one line are refused before the
    /// parser sees them; together with its bound of 8 brackets that leaves some 1,100 levels, a few
    /// hundred kilobytes of stack. No settings line has a use for more than ten.
    private static let dotsInALine = 128

    private static func checkDots(_ bytes: [UInt8]) throws(TOMLSyntaxError) {
        var line = 1
        var dots = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                dots = 0
            case UInt8(ascii: "."):
                dots += 1
                guard dots <= dotsInALine else { throw TOMLSyntaxError(tooManyDotsIn: line) }
            default: break
            }
        }
    }
}

/// The first place where a file is not TOML.
struct TOMLSyntaxError: Error {
    let position: TOMLPosition
    let message: String

    fileprivate init(tooManyDotsIn line: Int) {
        self.position = TOMLPosition(line: line, column: 1)
        self.message = "more than 128 dots in one line: shorten the line"
    }

    fileprivate init(_ failure: ctoml_error) {
        self.position = TOMLPosition(line: max(1, Int(failure.line)), column: max(1, Int(failure.column)))
        self.message = withUnsafeBytes(of: failure.message) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// Called by the parser on the calling thread, before `ctoml_parse` returns; the builder outlives it.
private func visit(context: UnsafeMutableRawPointer?, event: UnsafePointer<ctoml_event>?) {
    guard let context, let event = event?.pointee else { return }
    Unmanaged<TOMLTreeBuilder>.fromOpaque(context).takeUnretainedValue().take(event)
}
