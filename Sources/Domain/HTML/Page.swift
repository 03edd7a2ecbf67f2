/// Whole document of HTML. Style and script are files of the same server; nothing is inline.
public struct Page: Hashable, Sendable {
    public let lang: String
    public let title: String
    /// Classes of the body, from the program.
    public let kind: StaticKind
    /// Interval after which a browser without script asks again; nil for never.
    public let refreshSeconds: Int?
    /// Time after which any browser leaves for the root of the server; nil for never.
    public let leaveSeconds: Int?
    public let style: HTML.Place
    public let script: HTML.Place?
    /// Content of `<main>`.
    public let main: HTML
    /// Content before `<main>`, which a new state does not replace.
    public let header: HTML
    /// Token for the forms of a new content, which comes without one; nil for a page without a stream.
    public let formToken: String?

    public enum StaticKind: String, Sendable { case kiosk, family, print }

    public init(
        lang: String, title: String, kind: StaticKind, refreshSeconds: Int? = nil, leaveSeconds: Int? = nil,
        style: HTML.Place,
        script: HTML.Place? = nil, header: HTML = .none, formToken: String? = nil, main: HTML
    ) {
        (self.lang, self.title, self.kind, self.refreshSeconds) = (lang, title, kind, refreshSeconds)
        self.leaveSeconds = leaveSeconds
        (self.style, self.script, self.header, self.main) = (style, script, header, main)
        self.formToken = formToken
    }

    /// The document in UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    public var text: String {
        let refresh =
            refreshSeconds.map { "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>" } ?? ""
        let leave =
            leaveSeconds.map { "<noscript><meta http-equiv=\"refresh\" content=\"\($0);url=/\"></noscript>" }
            ?? ""
        let leaving = leaveSeconds.map { " data-leave=\"\($0)\"" } ?? ""
        let token = formToken.map { " data-token=\"\(HTML.escaped($0))\"" } ?? ""
        let script = script.map { "<script src=\"\(HTML.escaped($0.source))\" defer></script>" } ?? ""
        return """
            <!doctype html><html lang="\(HTML.escaped(lang))"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1">\
            <meta name="color-scheme" content="light dark"><title>\(HTML.escaped(title))</title>\(refresh)\(leave)\
            <link rel="stylesheet" href="\(HTML.escaped(style.source))">\(script)</head>\
            <body class="\(kind.rawValue)">\(header.source)<main id="main"\(leaving)\(token)>\(main.source)</main></body></html>
            """
    }
}
