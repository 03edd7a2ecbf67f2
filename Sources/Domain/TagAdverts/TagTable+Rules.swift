public import RunBeacon
public import WireFormats

extension TagTable where Recogniser == AdvertRecogniser {
    /// Rules by which a scanner lets the advertisements of the enrolled tags through.
    public var rules: [AdvertFilter.Rule] {
        var rules: [AdvertFilter.Rule] = []
        var hasKeys = false
        for identity in identities {
            switch identity {
            case .address(let address): rules.append(.address(address))
            case .iBeacon(let uuid, let major, let minor):
                rules.append(.iBeacon(uuid, major: major, minor: minor))
            case .eddystone(let namespace, let instance):
                rules.append(.eddystone(namespace, instance: instance))
            case .manufacturer(let company, let prefix):
                rules.append(.manufacturer(.init(company: company, bytes: prefix)))
            case .identityKey: hasKeys = true
            }
        }
        return rules + (hasKeys ? [.resolvablePrivate] : [])
    }
}
