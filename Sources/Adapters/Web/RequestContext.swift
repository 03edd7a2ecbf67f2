import CMicroHTTPD
import Glibc
import PageSecurity
import Synchronization

/// Head of a request, copied from the library.
struct RequestHead: Sendable {
    private(set) var method = ""
    private(set) var path = ""
    private(set) var fields: [String: String] = [:]
    private(set) var query: [String: String] = [:]
    /// Status of the refusal; nil for a sound head.
    private(set) var refusal: Int?

    init(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ limits: WebServer.Limits
    ) {
        guard let path = Self.unescaped(UnsafeRawBufferPointer(start: url, count: strlen(url))),
            let method = String(validatingCString: method),
            let fields = Self.values(
                .HEADER_KIND, of: connection, most: limits.fields, { Self.text($0)?.lowercased() }, Self.text),
            let query = Self.values(
                .GET_ARGUMENT_KIND, of: connection, most: limits.fields, Self.unescaped, Self.unescaped)
        else {
            refusal = 400
            return
        }
        (self.path, self.method, self.fields, self.query) = (path, method, fields, query)
        // RFC 9112, section 6.3: a length beside a coding divides requests differently for a relay before this server.
        if fields["transfer-encoding"] != nil { refusal = 411 }
    }

    private typealias Reader = (UnsafeRawBufferPointer) -> String?

    private final class Collector {
        var values: [String: String] = [:]
        var isMalformed = false
        let most: Int
        let name, value: Reader

        init(_ most: Int, _ name: @escaping Reader, _ value: @escaping Reader) {
            (self.most, self.name, self.value) = (most, name, value)
        }
    }

    /// Returns nil for too many values, a name that comes twice, and text that cannot be read.
    private static func values(
        _ kind: MHD_ValueKind, of connection: OpaquePointer, most: Int, _ name: @escaping Reader,
        _ value: @escaping Reader
    ) -> [String: String]? {
        let collector = Collector(most, name, value)
        MHD_get_connection_values_n(
            connection, kind,
            { context, _, key, keySize, value, valueSize in
                guard let context else { return MHD_Result.NO }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                guard collector.values.count < collector.most,
                    let name = collector.name(
                        UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : keySize)),
                    let text = collector.value(
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)),
                    collector.values.updateValue(text, forKey: name) == nil
                else {
                    collector.isMalformed = true
                    return MHD_Result.NO
                }
                return MHD_Result.YES
            }, Unmanaged.passUnretained(collector).toOpaque())
        return collector.isMalformed ? nil : collector.values
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// The library has put spaces in the place of plus signs already, in a query.
    private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> String? {
        PercentCoding.decode(bytes, plusIsSpace: false)
    }
}

/// One request from its head to its answer.
final class RequestContext: @unchecked Sendable {
    // The library's thread has all but `reply`, which a worker writes while the connection is suspended.
    let connection: OpaquePointer
    let socket: Int32
    /// Nil once it has been answered.
    private var head: RequestHead?
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

    /// Frees what is not needed for the rest of a stream.
    func forgetRequest() {
        (head, body) = (nil, [])
        reply.withLock { $0 = nil }
    }

    struct Refused: Error { let status: Int }

    /// The request, or the status of its refusal.
    var request: Result<WebRequest, Refused> {
        guard let head else { return .failure(Refused(status: 400)) }
        if let status = head.refusal { return .failure(Refused(status: status)) }
        guard !isTooLarge else { return .failure(Refused(status: 413)) }
        let form: [String: String]
        if body.isEmpty {
            form = [:]
        } else {
            let type = head.fields["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
            guard type.lowercased() == "application/x-www-form-urlencoded" else {
                return .failure(Refused(status: 415))
            }
            guard let fields = FormFields(body) else { return .failure(Refused(status: 400)) }
            form = fields.values
        }
        let fields = head.fields
        var request = WebRequest(
            method: head.method, path: head.path, query: head.query, form: form, host: fields["host"],
            origin: fields["origin"], fetchSite: fields["sec-fetch-site"], cookie: fields["cookie"],
            acceptLanguage: fields["accept-language"])
        request.client = ClientAddress(of: connection)?.description ?? ""
        return .success(request)
    }

    /// Ends the connection too: the rest of a request that was refused must not be read as the next one.
    static func refusal(_ refused: Refused) -> WebReply {
        WebReply(
            status: refused.status,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: .bytes(Array("\(refused.status)\n".utf8)))
    }

    /// On a worker. The library asks for the reply once the connection goes on.
    func answer(_ reply: WebReply) {
        self.reply.withLock { $0 = reply }
        MHD_resume_connection(connection)
    }

    func takeReply() -> WebReply? { reply.withLock { $0 } }
}
