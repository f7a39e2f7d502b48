export default { extends: ["stylelint-config-recommended"] };
