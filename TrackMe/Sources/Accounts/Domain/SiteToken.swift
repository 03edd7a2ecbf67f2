public import PageSecurity

extension SessionToken {
    private static let site: StaticString = "trackme"

    public var formToken: String { formToken(of: Self.site) }

    public func acceptsForm(_ entered: String?) -> Bool { acceptsForm(entered, of: Self.site) }
}
