/// `<mrq>`: one message to the centre.
///
/// Names, patterns and order of the fields are those of the schema in caruhome/scaip-gateway; the standard
/// itself (SS 91100:2014, CLC/TS 50134-9:2018) was not read.
public struct SCAIPRequest: Hashable, Sendable {
    public let reference: SCAIPReference
    let type: SCAIPMessageType
    let controller: SCAIPController
    let deviceType: SCAIPDeviceType
    var deviceID: SCAIPText?
    var component: SCAIPDeviceComponent?
    var deviceText: SCAIPText?
    let status: SCAIPStatusCode
    var statusText: SCAIPText?
    var priority: Int?
    var locationCode: SCAIPLocationCode?
    var place: SCAIPPlace?
    var locationText: SCAIPText?
    var info: SCAIPText?

    /// UTF-8, without white space between the elements and without an XML declaration, as devices in the
    /// field send it.
    public var xml: String {
        element("mrq", fields.map { element($0.name, $0.content) }.joined())
    }

    /// In the order of the schema; what is nil is left out.
    private var fields: [(name: String, content: String)] {
        let all: [(String, String?)] = [
            ("ref", reference.description),
            ("ver", "01.00"),
            ("cha", "0"),
            ("mty", type.rawValue),
            ("cid", controller.id),
            ("dty", deviceType.rawValue),
            ("did", escaped(deviceID)),
            ("dco", component?.rawValue),
            ("dte", escaped(deviceText)),
            ("crd", controller.callBack.map { escape($0) }),
            ("stc", status.rawValue),
            ("stt", escaped(statusText)),
            ("pri", priority.map(String.init)),
            ("lco", locationCode?.rawValue),
            ("lge", place?.xml),
            ("lte", escaped(locationText)),
            ("ite", escaped(info)),
        ]
        return all.compactMap { name, content in content.map { (name, $0) } }
    }

    /// The longest that each text may be, in code points.
    enum Limit {
        static let deviceID = 8
        static let deviceText = 32
        static let statusText = 32
        static let locationText = 32
        static let info = 128
        static let callBack = 256
    }
}

/// Who sends, as the centre knows it.
public struct SCAIPController: Hashable, Sendable {
    /// `cid`: 1 to 16 digits.
    let id: String
    /// `crd`: how the person is called back, `gsm:+39…`, `sip:…` or `no-voice:`.
    let callBack: String?

    /// Nil where `id` is not 1 to 16 digits, or `callBack` is empty or longer than 256.
    public init?(id: String, callBack: String?) {
        guard (1...16).contains(id.utf8.count),
            id.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        if let callBack {
            guard (1...SCAIPRequest.Limit.callBack).contains(callBack.unicodeScalars.count),
                callBack.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
            else { return nil }
        }
        self.id = id
        self.callBack = callBack
    }
}

/// `<name>content</name>`; the content is XML already.
func element(_ name: String, _ content: String) -> String { "<\(name)>\(content)</\(name)>" }

private func escaped(_ text: SCAIPText?) -> String? { text.map { escape($0.description) } }

private func escape(_ text: String) -> String {
    text.reduce(into: "") { xml, character in
        switch character {
        case "&": xml += "&amp;"
        case "<": xml += "&lt;"
        case ">": xml += "&gt;"
        case "\"": xml += "&quot;"
        case "'": xml += "&apos;"
        default: xml.append(character)
        }
    }
}
