import CMicroHTTPD
import Synchronization

/// Head of a request, copied from the library.
struct RequestHead: Sendable {
    private(set) var method = ""
    private(set) var path = ""
    private(set) var fields: [String: String] = [:]
    private(set) var query: [String: String] = [:]
    /// A field that comes twice, too many fields, or text that is not UTF-8.
    private(set) var isMalformed = false

    init(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ limits: WebServer.Limits
    ) {
        guard let path = String(validatingCString: url), let method = String(validatingCString: method),
            let fields = Self.values(.HEADER_KIND, of: connection, most: limits.fields, lowercased: true),
            let query = Self.values(
                .GET_ARGUMENT_KIND, of: connection, most: limits.fields, lowercased: false)
        else {
            isMalformed = true
            return
        }
        (self.path, self.method, self.fields, self.query) = (path, method, fields, query)
        // The library prefers one of two lengths by itself; a relay before it may prefer the other one.
        isMalformed = fields["transfer-encoding"] != nil
    }

    private final class Collector {
        var values: [String: String] = [:]
        var isMalformed = false
        let most: Int
        let lowercased: Bool

        init(_ most: Int, _ lowercased: Bool) { (self.most, self.lowercased) = (most, lowercased) }
    }

    private static func values(
        _ kind: MHD_ValueKind, of connection: OpaquePointer, most: Int, lowercased: Bool
    ) -> [String: String]? {
        let collector = Collector(most, lowercased)
        MHD_get_connection_values_n(
            connection, kind,
            { context, _, key, keySize, value, valueSize in
                guard let context else { return MHD_Result.NO }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                guard collector.values.count < collector.most,
                    let name = RequestHead.text(key, keySize), let text = RequestHead.text(value, valueSize),
                    collector.values.updateValue(text, forKey: collector.lowercased ? name.lowercased() : name)
                        == nil
                else {
                    collector.isMalformed = true
                    return MHD_Result.NO
                }
                return MHD_Result.YES
            }, Unmanaged.passUnretained(collector).toOpaque())
        return collector.isMalformed ? nil : collector.values
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String? {
        guard let start else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: size)
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}

/// One request from its head to its answer.
final class RequestContext: @unchecked Sendable {
    // The library's thread has all but `reply`, which a worker writes while the connection is suspended.
    let connection: OpaquePointer
    let socket: Int32
    private let head: RequestHead
    private var body: [UInt8] = []
    private var isTooLarge = false
    var stream: WebSubscription?
    private let reply = Mutex<WebReply?>(nil)

    init(_ connection: OpaquePointer, _ socket: Int32, _ head: RequestHead) {
        (self.connection, self.socket, self.head) = (connection, socket, head)
    }

    func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        guard !isTooLarge, body.count + bytes.count <= limit else {
            (isTooLarge, body) = (true, [])
            return
        }
        body += bytes
    }

    struct Refused: Error { let status: Int }

    /// The request, or the status of its refusal.
    var request: Result<WebRequest, Refused> {
        guard !head.isMalformed else { return .failure(Refused(status: 400)) }
        guard !isTooLarge else { return .failure(Refused(status: 413)) }
        let form: [String: String]
        if body.isEmpty {
            form = [:]
        } else {
            let type = head.fields["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
            guard type.lowercased() == "application/x-www-form-urlencoded" else {
                return .failure(Refused(status: 415))
            }
            guard let fields = FormFields.decoded(body) else { return .failure(Refused(status: 400)) }
            form = fields
        }
        let fields = head.fields
        return .success(
            WebRequest(
                method: head.method, path: head.path, query: head.query, form: form, host: fields["host"],
                origin: fields["origin"], fetchSite: fields["sec-fetch-site"], cookie: fields["cookie"],
                acceptLanguage: fields["accept-language"]))
    }

    var refusal: WebReply {
        let status = if case .failure(let refused) = request { refused.status } else { 400 }
        return WebReply(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(status)\n".utf8)))
    }

    /// On a worker. The library asks for the reply once the connection goes on.
    func answer(_ reply: WebReply) {
        self.reply.withLock { $0 = reply }
        MHD_resume_connection(connection)
    }

    func takeReply() -> WebReply? { reply.withLock { $0 } }
}
