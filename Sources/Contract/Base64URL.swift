import FoundationEssentials

/// RFC 4648, section 5, without padding.
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
